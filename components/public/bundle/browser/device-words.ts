import { speak } from "../../words";
import { device } from "../german/device";

// Imported before what writes anything: this script has its own instance of words.ts.
if (document.documentElement.lang === "de") speak({ language: "de", words: device, sentences: {} });
