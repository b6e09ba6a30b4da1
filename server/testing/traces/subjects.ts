import type { Ctx } from "@/server/core/context";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { deleteSubject } from "@/server/subjects/delete";
import { cancelPhotoImport } from "@/server/photos/cancel";
import { createPhotoImport } from "@/server/photos/create";
import { exportPhotoRejections } from "@/server/photos/export-rejections";
import { getPhotoImport } from "@/server/photos/get";
import { listPhotoImports } from "@/server/photos/list";
import { listPhotoRejections } from "@/server/photos/list-rejections";
import { uploadedPhotos } from "@/server/photos/testing/archive";
import { approvePhoto } from "@/server/subjects/approve-photo";
import { deletePhoto } from "@/server/subjects/delete-photo";
import { exportSubjects } from "@/server/subjects/export";
import { getPhoto } from "@/server/subjects/get-photo";
import { getSubject } from "@/server/subjects/get";
import { listSubjects } from "@/server/subjects/list";
import { rejectPhoto } from "@/server/subjects/reject-photo";
import { setPhoto } from "@/server/subjects/set-photo";
import { updateSubject } from "@/server/subjects/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { issued, publishedTemplate } from "../credentials";
import { photoOf } from "../photo";
import type { Step } from "./step";

const subject = async (ctx: Ctx) => (await upsertSubject(ctx, { externalId: "s", displayName: "Ada" })).subject;

const photographed = async (ctx: Ctx) => {
  const { id, photoUpdatedAt } = await photoOf(ctx, (await subject(ctx)).id);
  return { id, photoUpdatedAt: photoUpdatedAt! };
};

export const subjectSteps: Step[] = [
  { operation: upsertSubject, prepare: async (ctx) => () => subject(ctx), events: ["subject.created"] },
  {
    operation: upsertSubject,
    case: "with a change",
    prepare: async (ctx) => {
      await subject(ctx);
      return () => upsertSubject(ctx, { externalId: "s", displayName: "Eve" });
    },
    events: ["subject.updated"],
  },
  {
    operation: upsertSubject,
    case: "without a change",
    nothingToDo: true,
    prepare: async (ctx) => {
      await subject(ctx);
      return () => subject(ctx);
    },
    events: [],
  },
  {
    operation: upsertSubject,
    case: "that ends it",
    prepare: async (ctx) => {
      await subject(ctx);
      return () => upsertSubject(ctx, { externalId: "s", status: "inactive" });
    },
    events: ["subject.deactivated"],
  },
  {
    operation: updateSubject,
    prepare: async (ctx) => {
      const { id } = await subject(ctx);
      return () => updateSubject(ctx, { id, displayName: "Eve" });
    },
    events: ["subject.updated"],
  },
  {
    operation: updateSubject,
    case: "that ends it",
    prepare: async (ctx) => {
      const { id } = await subject(ctx);
      return () => updateSubject(ctx, { id, status: "inactive" });
    },
    events: ["subject.deactivated"],
  },
  {
    operation: updateSubject,
    case: "that takes it back",
    prepare: async (ctx) => {
      const { id } = await subject(ctx);
      await updateSubject(ctx, { id, status: "inactive" });
      return () => updateSubject(ctx, { id, status: "active" });
    },
    events: ["subject.updated"],
  },
  {
    operation: deleteSubject,
    prepare: async (ctx) => {
      const { id } = await subject(ctx);
      return () => deleteSubject(ctx, { id });
    },
    events: ["subject.deleted"],
  },
  {
    operation: eraseSubject,
    prepare: async (ctx) => {
      const { id } = await subject(ctx);
      return () => eraseSubject(ctx, { id, reason: "r" });
    },
    events: ["subject.updated", "subject.deactivated"],
    audit: ["subject.erased"],
  },
  {
    operation: eraseSubject,
    case: "who holds a credential",
    prepare: async (ctx) => {
      const { subjectId } = await issued(ctx, (await publishedTemplate(ctx)).id);
      return () => eraseSubject(ctx, { id: subjectId, reason: "r" });
    },
    events: ["credential.revoked", "subject.updated", "subject.deactivated"],
    audit: ["subject.erased"],
  },
  {
    operation: eraseSubject,
    case: "who is erased already",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id } = await subject(ctx);
      await eraseSubject(ctx, { id, reason: "r" });
      return () => eraseSubject(ctx, { id, reason: "r" });
    },
    events: [],
  },
  {
    operation: getSubject,
    prepare: async (ctx) => {
      const { id } = await subject(ctx);
      return () => getSubject(ctx, { id });
    },
    events: [],
  },
  { operation: listSubjects, prepare: async (ctx) => () => listSubjects(ctx, {}), events: [] },
  {
    operation: setPhoto,
    prepare: async (ctx) => {
      const { id } = await subject(ctx);
      return () => photoOf(ctx, id);
    },
    events: ["subject.updated"],
  },
  {
    operation: setPhoto,
    case: "without a change",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id } = await subject(ctx);
      await photoOf(ctx, id);
      return () => photoOf(ctx, id);
    },
    events: [],
  },
  {
    operation: deletePhoto,
    prepare: async (ctx) => {
      const { id } = await subject(ctx);
      await photoOf(ctx, id);
      return () => deletePhoto(ctx, { id });
    },
    events: ["subject.updated"],
  },
  {
    operation: approvePhoto,
    prepare: async (ctx) => {
      const seen = await photographed(ctx);
      return () => approvePhoto(ctx, seen);
    },
    events: ["subject.updated"],
    audit: ["subject.photo_approved"],
  },
  {
    operation: approvePhoto,
    case: "without a change",
    nothingToDo: true,
    prepare: async (ctx) => {
      const seen = await photographed(ctx);
      await approvePhoto(ctx, seen);
      return () => approvePhoto(ctx, seen);
    },
    events: [],
  },
  {
    operation: rejectPhoto,
    prepare: async (ctx) => {
      const seen = await photographed(ctx);
      return () => rejectPhoto(ctx, { ...seen, reason: "Blurred" });
    },
    events: ["subject.updated"],
    audit: ["subject.photo_rejected"],
  },
  {
    operation: getPhoto,
    prepare: async (ctx) => {
      const { id } = await subject(ctx);
      await photoOf(ctx, id);
      return () => getPhoto(ctx, { id, density: "1x" });
    },
    events: [],
  },
  { operation: exportSubjects, prepare: async (ctx) => () => exportSubjects(ctx, {}), events: [] },
  {
    operation: bulkUpsertSubjects,
    prepare: async (ctx) => {
      await bulkUpsertSubjects(ctx, { items: [{ externalId: "a" }, { externalId: "b" }, { externalId: "c" }] });
      return () =>
        bulkUpsertSubjects(ctx, {
          items: [
            { externalId: "a", displayName: "A" },
            { externalId: "b", status: "inactive" },
            { externalId: "c" },
            { externalId: "d" },
          ],
        });
    },
    events: ["subject.updated", "subject.deactivated", "subject.created"],
  },
  {
    operation: createPhotoImport,
    prepare: async (ctx) => () => uploadedPhotos(ctx, { "s-1.jpg": "x" }),
    events: [],
    audit: ["photo_import.created"],
  },
  {
    operation: cancelPhotoImport,
    prepare: async (ctx) => {
      const { id } = await uploadedPhotos(ctx, { "s-1.jpg": "x" });
      return () => cancelPhotoImport(ctx, { id });
    },
    events: [],
    audit: ["photo_import.cancelled"],
  },
  {
    operation: cancelPhotoImport,
    case: "twice",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id } = await uploadedPhotos(ctx, { "s-1.jpg": "x" });
      await cancelPhotoImport(ctx, { id });
      return () => cancelPhotoImport(ctx, { id });
    },
    events: [],
  },
  ...[getPhotoImport, listPhotoRejections, exportPhotoRejections].map((operation) => ({
    operation,
    prepare: async (ctx: Ctx) => {
      const { id } = await uploadedPhotos(ctx, { "s-1.jpg": "x" });
      return () => operation(ctx, { id });
    },
    events: [],
  })),
  { operation: listPhotoImports, prepare: async (ctx) => () => listPhotoImports(ctx, {}), events: [] },
];
