import { at, subjectId, changed } from "./common";

export const subject = {
  id: subjectId,
  object: "subject",
  externalId: "s-1001",
  displayName: "Ada Lovelace",
  email: "ada@example.edu",
  status: "active",
  photoUpdatedAt: null,
  photoStatus: null,
  photoReason: null,
  photoSetBy: null,
  erasedAt: null,
  attributes: { programme: "Mathematics" },
  ...changed,
};

const group = {
  id: "grp_01k4b2m9a1j6k7m8n9p0q1r2s3",
  object: "group",
  name: "Physics students",
  externalId: null,
  description: "",
  kind: "rule",
  rule: { field: "attributes.programme", op: "eq", value: "Physics" },
  memberCount: 212,
  providedBy: null,
  fedBy: [],
  evaluatedAt: at,
  evaluationProblem: null,
  ...changed,
};

const memberErrors = [{ pointer: "/externalIds/3", code: "not_found", message: "is no person of this organisation" }];

export const peopleExamples: Record<string, unknown> = {
  Subject: subject,
  SubjectWithCounts: {
    ...subject,
    credentialCount: 2,
    activeCredentialCount: 1,
    awaitsPhotoApproval: false,
    staged: false,
  },
  SubjectBulkResult: { data: [{ index: 0, ok: true, outcome: "created", subject }], succeeded: 1, failed: 0 },
  Group: group,
  GroupPreview: { matchCount: 212 },
  GroupMember: {
    object: "group_member",
    subjectId,
    externalId: "s-1001",
    displayName: "Ada Lovelace",
    email: "ada@example.edu",
    status: "active",
    addedAt: at,
    staged: false,
  },
  GroupMembersAdded: { added: 3, unchanged: 0, failed: 1, memberCount: 215, errors: memberErrors },
  GroupMembersRemoved: { removed: 3, unchanged: 0, failed: 1, memberCount: 209, errors: memberErrors },
  PhotoImport: {
    id: "phi_01k4b2m8z4g5h6j7k8m9n0p1q2",
    object: "photo_import",
    status: "running",
    stopReason: null,
    size: 48_318_382,
    counts: { total: 812, processed: 311, written: 296, unchanged: 12, rejected: 3, ignored: 813 },
    createdAt: at,
    startedAt: at,
    finishedAt: null,
  },
  PhotoRejection: {
    index: 17,
    fileName: "Class 3b/s-1001.jpg",
    externalId: "s-1001",
    code: "unknown_person",
    reason: "Nobody has this id. Name the file after the id that the person has in your own systems.",
  },
};
