import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Services whose OpenAPI document is committed below libs/contracts. */
export type ContractService = 'enterprise-manager' | 'connector-gateway' | 'ai-gateway-mgmt' | 'ai-gateway';

interface DocumentedResponse {
  headers?: Record<string, { required?: boolean }>;
  content?: Record<string, { schema?: object }>;
}

/** One operation of an OpenAPI document, as far as tests read it. */
export interface DocumentedOperation {
  summary?: string;
  security?: object[];
  parameters?: { in: string; name: string; required?: boolean; schema?: object }[];
  requestBody?: { content: Record<string, { schema?: object }> };
  responses: Record<string, DocumentedResponse>;
}

/** An OpenAPI 3.1 document, as far as tests read it. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components?: { schemas?: Record<string, object> };
}

/**
 * A request. `path` fills the templates of the operation; an array in `query` repeats its
 * parameter; `raw` and `rawQuery` are sent unchanged.
 */
export interface Call {
  token?: string;
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | string[] | undefined>;
  /** In place of `query`, without the question mark. */
  rawQuery?: string;
  headers?: Record<string, string>;
  body?: unknown;
  raw?: { body: string | Uint8Array; contentType?: string };
  signal?: AbortSignal;
}

/** A response. `body` is the parsed JSON, else the text; `undefined` for an empty body. */
export interface Answer<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
}

/**
 * A client that checks a service against its own document: each response must have a documented
 * status, the documented headers, content type and body. With GATEHOUSE_CONTRACT_EVIDENCE set it
 * also records each (operation, status), which shows the contract check which responses a test has
 * seen.
 */
export interface ContractClient {
  readonly document: OpenApiDocument;
  /**
   * @throws {Error} when the response differs from the document
   * @param operation for example `GET /v1/users/{id}`
   */
  call<Body = unknown>(operation: string, call?: Call): Promise<Answer<Body>>;
}

/** Reads the committed OpenAPI document of a service. */
export const readDocument = (service: ContractService): OpenApiDocument =>
  JSON.parse(
    readFileSync(new URL(`../../contracts/${service}/openapi.json`, import.meta.url), 'utf8'),
  ) as OpenApiDocument;

/** A response that matches its document; `text` is its unparsed body. */
export interface CheckedAnswer<Body = unknown> extends Answer<Body> {
  text: string;
}

/** Reads the response of an operation. @throws {Error} when it differs from the document */
export type AnswerCheck = <Body = unknown>(operation: string, response: Response) => Promise<CheckedAnswer<Body>>;

/**
 * Checks responses against the document of a service and records them as evidence. Use it for
 * requests that `createContractClient` cannot send.
 */
export const createAnswerCheck = (
  service: ContractService,
  document: OpenApiDocument = readDocument(service),
): AnswerCheck => {
  const validate = schemaValidator(document);
  const note = evidenceWriter(service);
  return async <Body>(operation: string, response: Response): Promise<CheckedAnswer<Body>> => {
    const { method, template, documented } = locate(document, operation);
    const { status, headers } = response;
    const text = await response.text();
    const where = `${operation} answered ${status}`;
    const described = documented.responses[String(status)];
    if (!described) throw new Error(`${where}, which is not in its document: ${text.slice(0, 500)}`);
    const body = checkBody(described, response, text, where, (contentType) =>
      validate(template, method, status, contentType),
    );
    for (const [name, header] of Object.entries(described.headers ?? {})) {
      if (header.required !== false && !headers.has(name)) throw new Error(`${where} without the header ${name}`);
    }
    note(operation, status);
    return { status, headers, text, body: body as Body };
  };
};

/** @param baseUrl for example `http://127.0.0.1:8080`, without a slash at the end. */
export const createContractClient = ({
  service,
  baseUrl,
  document = readDocument(service),
}: {
  service: ContractService;
  baseUrl: string;
  document?: OpenApiDocument;
}): ContractClient => {
  const check = createAnswerCheck(service, document);
  const call = async <Body>(operation: string, call: Call = {}): Promise<Answer<Body>> => {
    const { method, template } = locate(document, operation);
    const response = await fetch(`${baseUrl}${fill(template, call)}`, {
      method,
      redirect: 'manual',
      headers: createHeaders(call),
      ...createBody(call),
      ...(call.signal && { signal: call.signal }),
    });
    const { status, headers, body } = await check<Body>(operation, response);
    return { status, headers, body };
  };
  return { document, call };
};

const locate = (document: OpenApiDocument, operation: string) => {
  const [method = '', template = ''] = operation.split(' ');
  const documented = document.paths[template]?.[method.toLowerCase()];
  if (!documented) throw new Error(`the document has no operation ${operation}`);
  return { method, template, documented };
};

const fill = (template: string, { path = {}, query = {}, rawQuery }: Call): string => {
  const filled = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Error(`no value for the path parameter ${name} of ${template}`);
    return encodeURIComponent(value);
  });
  if (rawQuery !== undefined) return `${filled}?${rawQuery}`;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [String(value)]) search.append(name, item);
  }
  return search.size > 0 ? `${filled}?${search.toString()}` : filled;
};

const createHeaders = ({ token, headers, body, raw }: Call): Record<string, string> => ({
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(raw && { 'content-type': raw.contentType ?? 'application/json' }),
  ...headers,
});

const createBody = ({ body, raw }: Call) => {
  if (raw) return { body: raw.body };
  return body === undefined ? {} : { body: JSON.stringify(body) };
};

const checkBody = (
  described: DocumentedResponse,
  response: Response,
  text: string,
  where: string,
  validator: (contentType: string) => ValidateFunction | undefined,
): unknown => {
  const types = Object.keys(described.content ?? {});
  const contentType = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  if (types.length === 0) {
    if (text !== '') throw new Error(`${where} with a body, but its document has none: ${text.slice(0, 500)}`);
    return undefined;
  }
  if (!types.includes(contentType))
    throw new Error(`${where} as ${contentType}, but its document has ${types.join(', ')}`);
  if (!/[/+]json$/.test(contentType)) return text;
  const body = JSON.parse(text) as unknown;
  const valid = validator(contentType);
  if (valid && !valid(body)) {
    throw new Error(
      `${where} with a body that is not what its document says: ${JSON.stringify(valid.errors)} in ${text.slice(0, 1000)}`,
    );
  }
  return body;
};

/**
 * Compiles the response schemas of a document on first use. Formats are checked (uuid, date-time,
 * uri).
 */
const schemaValidator = (document: OpenApiDocument) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'document' });
  const compiled = new Map<string, ValidateFunction | undefined>();
  return (template: string, method: string, status: number, contentType: string): ValidateFunction | undefined => {
    const pointer = [
      'paths',
      template,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      contentType,
      'schema',
    ]
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    if (!compiled.has(pointer)) compiled.set(pointer, ajv.getSchema(`document#/${pointer}`));
    return compiled.get(pointer);
  };
};

const evidenceWriter = (service: ContractService) => {
  const folder = process.env['GATEHOUSE_CONTRACT_EVIDENCE'];
  if (folder === undefined) return () => undefined;
  mkdirSync(folder, { recursive: true });
  const seen = new Set<string>();
  const file = join(folder, `${service}.${process.pid}.jsonl`);
  return (operation: string, status: number): void => {
    const line = JSON.stringify({ service, operation, status });
    if (seen.has(line)) return;
    seen.add(line);
    appendFileSync(file, `${line}\n`);
  };
};
