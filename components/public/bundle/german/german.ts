import { checkSentences } from "./check-sentences";
import { credential } from "./credential";
import { device } from "./device";
import { documentSentences } from "./document-sentences";
import { foreignSentences } from "./foreign-sentences";
import { forms } from "./forms";
import { pages } from "./pages";
import { formSentences, sentences } from "./sentences";
import { verify } from "./verify";

/** German, for the pages on the server, with what they send to their scripts. */
export const germanWords = {
  language: "de" as const,
  words: { ...device, ...pages, ...forms, ...verify, ...credential },
  sentences: { ...documentSentences, ...sentences, ...foreignSentences, ...formSentences, ...checkSentences },
  live: {
    credential: JSON.stringify({ words: credential, sentences }),
    verify: JSON.stringify({
      words: { ...verify, ...credential },
      sentences: { ...documentSentences, ...sentences, ...foreignSentences, ...checkSentences },
    }),
  },
};
