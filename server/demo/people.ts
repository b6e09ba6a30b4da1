import type { Chance } from "./chance";
import type { Calendar } from "./stage";

/** A person of the demo, in the form in which the university's systems would send them. */
export interface Person {
  externalId: string;
  displayName: string;
  email: string;
  attributes: Record<string, unknown>;
}

const given = [
  "Amara",
  "Mateo",
  "Ingrid",
  "Rohan",
  "Chloé",
  "Tomasz",
  "Yuki",
  "Leila",
  "Daniel",
  "Nkechi",
  "Sofia",
  "Henrik",
  "Mei",
  "Omar",
  "Hannah",
  "Jakub",
  "Priya",
  "Lucas",
  "Zanele",
  "Elif",
  "Noah",
  "Camila",
  "Arjun",
  "Freya",
  "Kwame",
  "Aoife",
  "Minh",
  "Nadia",
  "Oscar",
  "Ximena",
  "Tariq",
  "Greta",
  "Luca",
  "Anjali",
  "Björn",
  "Fatima",
  "Eero",
  "Isabel",
  "Samuel",
  "Linh",
];
const family = [
  "Okafor",
  "García",
  "Lindqvist",
  "Mehta",
  "Dubois",
  "Kowalski",
  "Tanaka",
  "Haddad",
  "Whitfield",
  "Adeyemi",
  "Rossi",
  "Sørensen",
  "Zhang",
  "El-Sayed",
  "Weber",
  "Novák",
  "Iyer",
  "Almeida",
  "Dlamini",
  "Yılmaz",
  "Bennett",
  "Rojas",
  "Nair",
  "Hansen",
  "Mensah",
  "Byrne",
  "Nguyen",
  "Petrov",
  "Svensson",
  "Castillo",
  "Rahman",
  "Schneider",
  "Bianchi",
  "Desai",
  "Eriksson",
  "Hussain",
  "Virtanen",
  "Moreau",
  "Osei",
  "Tran",
];

const programmes = [
  ["BSc Computer Science", "Engineering"],
  ["BA Modern History", "Arts and Humanities"],
  ["BSc Marine Biology", "Natural Sciences"],
  ["MSc Data Analysis", "Engineering"],
  ["BEng Civil Engineering", "Engineering"],
  ["BA Comparative Literature", "Arts and Humanities"],
  ["MSc Public Health", "Medicine"],
  ["BSc Physics", "Natural Sciences"],
] as const;

const posts = [
  ["Lecturer", "School of Engineering"],
  ["Senior Lecturer", "School of Natural Sciences"],
  ["Professor", "School of Arts and Humanities"],
  ["Laboratory Technician", "School of Natural Sciences"],
  ["Librarian", "University Library"],
  ["Student Adviser", "Registrar's Office"],
  ["Systems Administrator", "Information Services"],
  ["Research Fellow", "School of Medicine"],
] as const;

/** Returns a unique name: with each round of given names, the family names move on by one. */
function nameOf(index: number): string {
  return `${given[index % given.length]} ${family[(index * 7 + Math.floor(index / given.length)) % family.length]}`;
}

function addressOf(name: string, domain: string): string {
  const plain = name
    .replaceAll("ø", "o")
    .replaceAll("ı", "i")
    .normalize("NFKD")
    .replaceAll(/[^\x20-\x7e]|-/g, "")
    .toLowerCase();
  return `${plain.replaceAll(" ", ".")}@${domain}`;
}

export function students(count: number, chance: Chance, calendar: Calendar): Person[] {
  return Array.from({ length: count }, (_, index) => {
    const displayName = nameOf(index);
    const [programme, faculty] = programmes[index % programmes.length]!;
    const year = chance.between(1, 4);
    return {
      externalId: `S-${204_100 + index * 3}`,
      displayName,
      email: addressOf(displayName, "student.northwind.example"),
      attributes: { programme, faculty, year, enrolledUntil: calendar.date((5 - year) * 365 + 60) },
    };
  });
}

export function staff(count: number, after: number): Person[] {
  return Array.from({ length: count }, (_, index) => {
    const displayName = nameOf(after + index);
    const [title, department] = posts[index % posts.length]!;
    return {
      externalId: `E-${1_040 + index * 2}`,
      displayName,
      email: addressOf(displayName, "northwind.example"),
      attributes: { title, department },
    };
  });
}
