import { publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import type { Design } from "@/server/templates/design";

/** A card design with public and private fields that offers no wallet. */
export const cardDesign: Design = {
  colors: { background: "#102030", foreground: "#ffffff", accent: "#ffcc00" },
  front: {
    fields: [
      { key: "department", label: "Department", binding: "attributes.department" },
      { key: "library", label: "Library card", binding: "attributes.library" },
      { key: "salary", label: "Salary", binding: "attributes.salary" },
    ],
  },
  publicFields: ["department", "library"],
};

/** Creates an organisation and a credential of the given design. */
export async function holderOf(design: Design) {
  const home = await world();
  const token = await home.key(
    "credentials:read",
    "credentials:issue",
    "credentials:suspend",
    "credentials:revoke",
    "subjects:write",
    "subjects:read",
    "settings:write",
  );
  const template = await publishedTemplate(home.ctx, { name: "Student card", design });
  const made = await call("POST", "/v1/credentials", {
    token,
    body: {
      subject: {
        externalId: "s-1",
        displayName: "Ada Lovelace",
        attributes: { department: "Mathematics", library: "12345678", salary: "secret" },
      },
      templateId: template.id,
    },
  });
  if (made.status !== 201) throw new Error(made.text);
  const credential = made.json<{ id: string; code: string; subjectId: string; verifyUrl: string }>();
  return {
    home,
    token,
    credential,
    post: (action: string, body: object = {}) =>
      call("POST", `/v1/credentials/${credential.id}/${action}`, { token, body }),
    channels: async () =>
      (await call("GET", `/v1/credentials/${credential.id}/channels`, { token })).json<{
        data: { id: string; type: string; address: string; status: string; error: string | null }[];
      }>().data,
  };
}
