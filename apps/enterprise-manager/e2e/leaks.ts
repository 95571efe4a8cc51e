import pg from 'pg';

/** A secret that was found in an output. */
export interface Leak {
  sink: string;
  canary: string;
  form: string;
}

/**
 * Encodes a value in all forms in which it could appear. Base64 has three forms, which depend on
 * the offset of the value.
 */
function encodeInAllForms(value: string): [string, string][] {
  const bytes = Buffer.from(value);
  const middles = [0, 1, 2].flatMap((offset): [string, string][] => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last characters also depend on the neighbouring bytes.
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

/** Finds every canary in every form and output. */
export function findLeaks(sinks: Readonly<Record<string, string>>, canaries: Readonly<Record<string, string>>): Leak[] {
  return Object.entries(canaries).flatMap(([canary, value]) =>
    encodeInAllForms(value).flatMap(([form, text]) =>
      Object.entries(sinks)
        .filter(([, content]) => content.includes(text) || (form === 'hex' && content.toLowerCase().includes(text)))
        .map(([sink]) => ({ sink, canary, form })),
    ),
  );
}

/** Reads all rows of all tables as text. */
export async function dumpDatabase(url: string): Promise<string> {
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
