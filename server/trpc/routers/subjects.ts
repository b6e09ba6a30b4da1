import { deleteSubject } from "@/server/subjects/delete";
import { getSubject } from "@/server/subjects/get";
import { listSubjects } from "@/server/subjects/list";
import { updateSubject } from "@/server/subjects/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { fromCommand, fromQuery, router } from "../trpc";

export const subjectsRouter = router({
  list: fromQuery(listSubjects),
  get: fromQuery(getSubject),
  upsert: fromCommand(upsertSubject),
  update: fromCommand(updateSubject),
  delete: fromCommand(deleteSubject),
});
