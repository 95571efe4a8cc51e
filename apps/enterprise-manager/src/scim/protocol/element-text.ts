/** Parts of an element of `groups` and `members`, in the order of the response. */
export const ELEMENT_PARTS = ['value', '$ref', 'display', 'type'] as const;
export type ElementPart = (typeof ELEMENT_PARTS)[number];

/** SQL of a part as JSON text. */
type PartsSql = Readonly<Record<ElementPart, string>>;

/**
 * SQL of an element of `members` as JSON text. It concatenates text, because the JSON functions of
 * Postgres take several times as long.
 * @param shown the parts that the response contains
 */
export const buildElementText = (sql: PartsSql, shown: ReadonlySet<ElementPart>): string => {
  const parts = ELEMENT_PARTS.filter((part) => shown.has(part)).map(
    (part, at) => `'${at === 0 ? '{' : ','}"${part}":' || ${sql[part]}`,
  );
  return parts.length === 0 ? `'{}'` : `${parts.join(' || ')} || '}'`;
};

/** SQL of a text that needs no escaping, such as an id or URL, as JSON. */
export const quoteSql = (sql: string): string => `'"' || ${sql} || '"'`;

/** SQL of any text as JSON. */
export const buildJsonString = (sql: string): string => `to_json(${sql})::text`;
