/**
 * The name of a value and the noun of its object (`group` for `/v1/groups/{id}` and for a field of
 * the schema GroupCreate).
 */
export interface Place {
  name: string;
  noun: string;
}

const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const CURSOR = 'eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk';

/** Values of fields with names from HTTP, OAuth 2.0 and the conventions of this kit. */
const OF_NAME: Readonly<Record<string, readonly string[]>> = {
  email: ['alice@example.com'],
  user_email: ['alice@example.com'],
  subject: ['00u1f4c2k7'],
  sub: ['00u1f4c2k7'],
  issuer: ['https://id.example.com', 'corporate'],
  client_id: ['gatehouse-cli'],
  audience: ['gatehouse'],
  jwks_uri: ['https://gatehouse.example.com/.well-known/jwks.json'],
  token_url: ['https://id.example.com/token'],
  field: ['/display_name'],
  scopes: ['openid'],
  scope: ['openid'],
  scopes_supported: ['openid'],
  sha256: [SHA256],
  request_id: ['5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11'],
  requestid: ['5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11'],
  'x-request-id': ['5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11'],
  'if-match': ['"3q2-7wQJ"'],
  'if-none-match': ['"3q2-7wQJ"'],
  etag: ['"3q2-7wQJ"'],
  bearer_methods_supported: ['header'],
  alg: ['ES256'],
  kty: ['EC'],
  crv: ['P-256'],
  limit: ['50'],
  count: ['1'],
};

/** Values by the end of a field's name. */
const OF_END: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(?:^|_)(?:cursor|before)$/, [CURSOR]],
  [
    /^(?:created|started|added|issued)_at$|^from$|^since$|^start$/,
    ['2026-03-02T09:30:00Z', '2026-03-02T09:30:00.000Z', '2026-03-02'],
  ],
  [
    /^(?:expires|valid_until|ends?|until|to)(?:_at)?$/,
    ['2026-09-01T00:00:00Z', '2026-09-01T00:00:00.000Z', '2026-09-01'],
  ],
  [/(?:_at|_on|_time)$|^time$/, ['2026-03-04T16:05:12Z', '2026-03-04T16:05:12.000Z']],
  [/_usd$|amount|price/, ['12.500000000', '12.50', '12.5']],
  [/_(?:url|uri|endpoint)$|^(?:url|uri)$/, ['https://example.com/path', 'https://example.com/']],
  [/authorization_server/, ['https://id.example.com']],
  [/sha256|_hash$/, [SHA256]],
  [/ key$/, ['example']],
  [/_count$/, ['3']],
  [/_ms$/, ['250']],
  [/_seconds$/, ['60']],
];

/** Example texts of a service, by name of the field or `noun.field`. */
export type FieldExamples = Readonly<Record<string, readonly string[]>>;

/**
 * Known values for the name of a field, best first. The values of the service come first. The
 * caller uses the first value that matches the schema.
 */
export function fieldValues({ name, noun }: Place, ofService: FieldExamples): readonly string[] {
  const plain = name.toLowerCase();
  const keys = new Set([`${noun}.${plain}`, name, plain]);
  return [
    ...[...keys].flatMap((key) => ofService[key] ?? []),
    ...(OF_NAME[plain] ?? []),
    ...OF_END.flatMap(([end, values]) => (end.test(plain) ? values : [])),
  ];
}
