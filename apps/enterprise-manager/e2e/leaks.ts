import pg from 'pg';

/** Something that must not be found, and where it may not be found. */
export interface Leak {
  sink: string;
  canary: string;
  form: string;
}

/**
 * The forms in which a value could lie somewhere. Base64 has three, by where in its neighbourhood
 * the value begins.
 */
function formsOf(value: string): [string, string][] {
  const bytes = Buffer.from(value);
  const middles = [0, 1, 2].flatMap((offset): [string, string][] => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last characters also depend on what stands beside the value.
    const middle = whole.slice(offset === 0 ? 0 : 4, -2);
    return [
      [`base64 at ${offset}`, middle],
      [`base64url at ${offset}`, middle.replaceAll('+', '-').replaceAll('/', '_')],
    ];
  });
  return [
    ['plain', value],
    ['reversed', value.split('').reverse().join('')],
    ['hex', bytes.toString('hex')],
    ['percent', encodeURIComponent(value)],
    ['JSON', JSON.stringify(value).slice(1, -1)],
    ...middles,
  ];
}

/** Every canary that is found in any form in any sink. */
export function leaksIn(sinks: Readonly<Record<string, string>>, canaries: Readonly<Record<string, string>>): Leak[] {
  return Object.entries(canaries).flatMap(([canary, value]) =>
    formsOf(value).flatMap(([form, text]) =>
      Object.entries(sinks)
        .filter(([, content]) => content.includes(text) || (form === 'hex' && content.toLowerCase().includes(text)))
        .map(([sink]) => ({ sink, canary, form })),
    ),
  );
}

/** Every row of every table and every default and comment of the schema, as text. */
export async function dumpOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`SELECT row_to_json(t)::text AS text FROM ${name} AS t`);
      texts.push(name, ...rows.map(({ text }) => text));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}
