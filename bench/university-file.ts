/** People of one piece of the stream. */
const perPiece = 2_000;

/**
 * Returns a CSV file of people as a stream. Four of five study mathematics. In the changed file one in forty has left
 * for law, and one in forty has come from law.
 */
export function peopleFile(people: number, changed: boolean): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let n = 0;
  return new ReadableStream({
    pull(controller) {
      if (n === 0) controller.enqueue(encoder.encode("student_id,full_name,email,programme,year\n"));
      const until = Math.min(people, n + perPiece);
      let text = "";
      while (n < until) {
        n++;
        const isLaw = changed && n % 40 === 1 ? true : changed && n % 40 === 20 ? false : n % 5 === 0;
        text += `s-${n},Student ${n},student-${n}@example.edu,${isLaw ? "Law" : "Mathematics"},${n % 4}\n`;
      }
      controller.enqueue(encoder.encode(text));
      if (n === people) controller.close();
    },
  });
}
