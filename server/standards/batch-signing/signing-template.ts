import type { Quad, Term } from "rdf-canonize";
import { eddsaRdfc2022 } from "../data-integrity/eddsa-rdfc-2022";
import { joined } from "../data-integrity/rdfc-hash";
import { proofOptions, secondsOf, signDocument, type Signer } from "../data-integrity/sign-document";
import { encodeBase58 } from "../encoding/multibase";
import { canonicalise, toDataset } from "../json-ld/canonicalise";
import type { Json, JsonObject } from "../json";
import { GraphTemplate } from "./graph-template";
import { filled, fits, holdsMarker, slot, slotOf, type Slot } from "./slots";

export type Values = Record<string, Json | undefined>;

/** Placeholder of the time of signing, replaced after the proof's options were canonicalised. */
const createdMarker = "0001-01-01T00:00:00Z";

/**
 * A credential with slots, expanded to RDF once. Expanding is four fifths of the cost of a signature, and its result is
 * the same for every credential of one template but for texts and URLs, which are substituted in the dataset. Values
 * that would change the shape of the graph are signed by the library, one credential at a time (decision 254).
 *
 * @example const template = await SigningTemplate.compile({ …, name: slot("text", "name") });
 *   const json = await template.sign({ name: "Ada" }, signer, new Date());
 */
export class SigningTemplate {
  private readonly options = new Map<string, Promise<string>>();

  private constructor(
    private readonly template: JsonObject,
    /** Undefined if expansion alters a slot; then the library signs every credential. */
    private readonly graph: GraphTemplate | undefined,
    private readonly slots: readonly Slot[],
    private readonly json: readonly string[],
    private readonly order: readonly string[],
  ) {}

  /** @throws Invalid for a template that is not valid JSON-LD, or whose terms are not defined */
  static async compile(template: JsonObject): Promise<SigningTemplate> {
    const text = JSON.stringify(template);
    const parts = text.split(/"(urn:bonafide-slot:(?:text|url):\w+)"/);
    const slots = [...new Set(parts.filter((_, i) => i % 2 === 1))].map((marker) => slotOf(marker)!);
    const dataset = await toDataset(template);
    return new SigningTemplate(
      template,
      isFaithful(dataset, slots) ? new GraphTemplate(dataset) : undefined,
      slots,
      parts.filter((_, i) => i % 2 === 0),
      parts.filter((_, i) => i % 2 === 1).map((marker) => slotOf(marker)!.name),
    );
  }

  /**
   * Signs one credential with `eddsa-rdfc-2022`. @returns its JSON @throws Invalid for a value that cannot be signed
   */
  async sign(values: Values, signer: Signer, created: Date): Promise<string> {
    const quads = this.canonical(values);
    if (quads === undefined)
      return JSON.stringify(
        await signDocument(filled(this.template, values) as JsonObject, eddsaRdfc2022, signer, { created }),
      );
    const options = proofOptions(eddsaRdfc2022, signer.verificationMethod, { created });
    const signature = eddsaRdfc2022.sign!(
      joined(await this.canonicalOptions(signer, created), quads),
      signer.privateKey,
    );
    const proof = JSON.stringify([{ ...options, proofValue: encodeBase58(signature) }]);
    return `${this.write(values).slice(0, -1)},"proof":${proof}}`;
  }

  /** Whether these values can be substituted in the dataset; otherwise the library signs the credential. */
  isFast(values: Values): boolean {
    return this.graph !== undefined && this.slots.every(({ kind, name }) => fits(kind, values[name]));
  }

  private canonical(values: Values): string | undefined {
    if (!this.isFast(values)) return undefined;
    return this.graph!.canonical(new Map(this.slots.map(({ marker, name }) => [marker, values[name] as string])));
  }

  private async canonicalOptions({ verificationMethod }: Signer, created: Date): Promise<string> {
    const known =
      this.options.get(verificationMethod) ??
      canonicalise({
        ...proofOptions(eddsaRdfc2022, verificationMethod, { created: new Date(createdMarker) }),
        "@context": this.template["@context"],
      });
    this.options.set(verificationMethod, known);
    return (await known).replace(createdMarker, secondsOf(created));
  }

  private write(values: Values): string {
    return this.json.map((part, i) => (i === 0 ? part : JSON.stringify(values[this.order[i - 1]!]) + part)).join("");
  }
}

/**
 * Whether the expansion kept each slot as one whole term of its kind, and no other term contains a marker or a part of
 * one.
 */
function isFaithful(dataset: readonly Quad[], slots: readonly Slot[]): boolean {
  const terms = dataset
    .flatMap(({ subject, predicate, object, graph }) => [subject, predicate, object, graph])
    .filter(({ value, datatype }) => holdsMarker(value) || holdsMarker(datatype?.value ?? ""));
  const isPlain = ({ termType, value, datatype }: Term) => {
    const found = slotOf(value);
    return (
      found !== undefined &&
      termType === (found.kind === "url" ? "NamedNode" : "Literal") &&
      !holdsMarker(datatype?.value ?? "")
    );
  };
  return (
    terms.every(isPlain) &&
    dataset.every(({ predicate }) => !holdsMarker(predicate.value)) &&
    slots.every(({ kind, name }) => terms.some(({ value }) => value === slot(kind, name)))
  );
}
