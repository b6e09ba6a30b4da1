import { eraseSubject } from "@/server/erasure/erase-subject";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { deleteSubject } from "@/server/subjects/delete";
import { getSubject } from "@/server/subjects/get";
import { listSubjects } from "@/server/subjects/list";
import { subjectNames } from "@/server/subjects/names";
import { updateSubject } from "@/server/subjects/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { fromCommand, fromQuery, fromTagged, router } from "../trpc";

export const subjectsRouter = router({
  list: fromQuery(listSubjects),
  get: fromTagged(getSubject),
  names: fromQuery(subjectNames),
  upsert: fromCommand(upsertSubject),
  bulk: fromCommand(bulkUpsertSubjects),
  update: fromCommand(updateSubject),
  delete: fromCommand(deleteSubject),
  erase: fromCommand(eraseSubject),
});
