/**
 * SQL: the title of the credential `c` of the template `t`. A credential with an achievement has the name of its
 * version of the achievement; any other has its template's name. Pages, cards, files, the signed document and messages
 * all use this title (docs/decisions/450).
 */
export const credentialTitle = `coalesce((SELECT stated.name FROM achievement_versions stated WHERE stated.org_id = c.org_id AND stated.id = c.achievement_version_id OFFSET 0), t.name)`;
