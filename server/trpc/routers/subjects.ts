import { eraseSubject } from "@/server/erasure/erase-subject";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { deleteSubject } from "@/server/subjects/delete";
import { approvePhoto } from "@/server/subjects/approve-photo";
import { deletePhoto } from "@/server/subjects/delete-photo";
import { exportSubjects } from "@/server/subjects/export";
import { getPhoto } from "@/server/subjects/get-photo";
import { getSubject } from "@/server/subjects/get";
import { findSubjectsToChoose } from "@/server/subjects/find";
import { listAttributeNames } from "@/server/subjects/list-attribute-names";
import { listSubjects } from "@/server/subjects/list";
import { subjectNames } from "@/server/subjects/names";
import { rejectPhoto } from "@/server/subjects/reject-photo";
import { setPhoto } from "@/server/subjects/set-photo";
import { updateSubject } from "@/server/subjects/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { dataUrl, setPhotoFromPage } from "../photo";
import {
  fromCommand,
  fromCommandSentAs,
  fromDownload,
  fromQuery,
  fromQueryGivenAs,
  fromTagged,
  fromTaggedCommand,
  router,
} from "../trpc";

export const subjectsRouter = router({
  list: fromQuery(listSubjects),
  find: fromQuery(findSubjectsToChoose),
  attributeNames: fromQuery(listAttributeNames),
  get: fromTagged(getSubject),
  names: fromQuery(subjectNames),
  upsert: fromCommand(upsertSubject),
  bulk: fromCommand(bulkUpsertSubjects),
  update: fromTaggedCommand(updateSubject),
  delete: fromCommand(deleteSubject),
  erase: fromCommand(eraseSubject),
  export: fromDownload(exportSubjects),
  photo: fromQueryGivenAs(getPhoto, dataUrl),
  setPhoto: fromCommandSentAs(setPhoto, setPhotoFromPage),
  deletePhoto: fromCommand(deletePhoto),
  approvePhoto: fromCommand(approvePhoto),
  rejectPhoto: fromCommand(rejectPhoto),
});
