/**
 * SQL: what the credential `c` of the template `t` is called. One that states an achievement has the achievement's name,
 * in the version that it states; any other has its template's. Pages, cards, files, the signed document and messages all
 * take the name from here (docs/decisions/450).
 */
export const credentialTitle = `coalesce((SELECT stated.name FROM achievement_versions stated WHERE stated.org_id = c.org_id AND stated.id = c.achievement_version_id OFFSET 0), t.name)`;
