import { fetchNext } from "../run/fetch";

// Fetches what is due. The parent kills this process while a source answers.
await fetchNext(new Date());
