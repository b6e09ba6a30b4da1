import { fetchNext } from "../run/fetch";

// Processes due fetches. The parent kills this process while a source answers.
await fetchNext(new Date());
