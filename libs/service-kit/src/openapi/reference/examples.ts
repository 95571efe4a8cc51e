import type { FailureForm } from '../../http/failure-form.ts';
import type { FailureStyle } from '../../http/failures.ts';
import { roleErrorMessage } from '../../routes/role-error-message.ts';
import type { OperationExamples, RequiredRole } from '../../routes/route-facts.ts';
import { ExampleValues, toSingular } from './example-values.ts';
import type { FieldExamples, Place } from './field-values.ts';
import { failureExample } from './failure-answers.ts';

type Json = Record<string, unknown>;
type Content = Record<string, { schema?: unknown; example?: unknown }>;

/** The parts of an operation with examples. */
interface DescribedOperation {
  parameters?: { in: string; name: string; required: boolean; schema: Json; example?: unknown }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
  'x-roles'?: readonly RequiredRole[];
}

const isJson = (type: string) => type === 'application/json' || type.endsWith('+json');

/**
 * Adds examples to the operations of one document: handwritten ones, else values generated from the
 * schemas.
 */
export class ExampleWriter {
  private readonly values: ExampleValues;

  /** @param components the document's finished schemas */
  constructor(
    components: Readonly<Record<string, Json>>,
    private readonly style: FailureStyle,
    fields?: FieldExamples,
  ) {
    this.values = new ExampleValues(components, fields);
  }

  /**
   * Writes the examples into an operation of the finished document.
   * @param form form of its failures, if it differs from that of the service
   */
  write(path: string, item: unknown, own: OperationExamples = {}, form?: Pick<FailureForm, 'createBody'>): void {
    const operation = item as DescribedOperation;
    const noun = nounOfPath(path);
    this.ofParameters(operation, path, own);
    const body = operation.requestBody?.content ?? {};
    this.ofContent(body, { name: noun, noun }, own.body);
    const field = wrongField(operation, body);
    const usual = usualSentences(noun, operation['x-roles']);
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      if (Number(status) < 400) this.ofContent(content, { name: noun, noun }, own.response);
      else {
        const sentence = own.failures?.[Number(status)] ?? usual[Number(status)];
        this.ofFailure(content, Number(status), { field, sentence, form });
      }
    }
  }

  /**
   * The page sends the examples of required parameters. The example of an optional parameter
   * belongs to its schema, so that the page shows it but does not send it.
   */
  private ofParameters({ parameters = [] }: DescribedOperation, path: string, own: OperationExamples): void {
    for (const parameter of parameters) {
      const { name } = parameter;
      const before = parameter.in === 'path' ? path.slice(0, path.indexOf(`{${name}}`)) : path;
      const value = own.parameters?.[name] ?? this.values.of(parameter.schema, { name, noun: nounOfPath(before) });
      if (value === undefined) continue;
      if (parameter.required) parameter.example = value;
      else parameter.schema['examples'] ??= [value];
    }
  }

  private ofContent(content: Content, place: Place, own: unknown): void {
    for (const [type, media] of Object.entries(content)) {
      const value = isLines(type)
        ? formatLines(content)
        : (own ?? (isJson(type) ? this.values.of(media.schema, place) : undefined));
      if (value !== undefined) media.example = value;
    }
  }

  private ofFailure(
    content: Content,
    status: number,
    facts: Pick<Parameters<typeof failureExample>[0], 'field' | 'sentence' | 'form'>,
  ): void {
    for (const media of Object.values(content)) {
      const { $ref } = (media.schema ?? {}) as { $ref?: string };
      media.example =
        facts.form || $ref?.endsWith('/FailureBody')
          ? failureExample({ status, style: this.style, ...facts })
          : this.values.of(media.schema, { name: 'failure', noun: 'failure' });
    }
  }
}

/**
 * Messages of failures that depend on the object or the caller.
 * @param roles roles that open the operation; undefined if it has callers of its own
 */
const usualSentences = (noun: string, roles: readonly RequiredRole[] | undefined): Record<number, string> => ({
  404: `there is no ${noun} with this id`,
  ...(roles && { 403: roleErrorMessage(roles) }),
});

/** Whether a type has a JSON value in each line (NDJSON). */
const isLines = (type: string): boolean => type === 'application/x-ndjson';

/** The items of the JSON page of the same answer, which is documented first, one on each line. */
function formatLines(content: Content): string | undefined {
  const page = Object.values(content)[0]?.example;
  const items = typeof page === 'object' && page !== null ? Object.values(page).find(Array.isArray) : undefined;
  return items?.map((item) => `${JSON.stringify(item)}\n`).join('');
}

/** The noun of the object at a path: `group` for `/v1/groups/{id}` and `/v1/groups`. */
function nounOfPath(path: string): string {
  const words = path.split('/').filter((part) => part !== '' && !part.startsWith('{') && !/^v\d/.test(part));
  return toSingular(/[a-z]+$/i.exec(words.at(-1) ?? '')?.[0].toLowerCase() ?? 'object');
}

/**
 * The field of an example of an invalid request: the first field of the body, else of the query,
 * else of the path.
 */
function wrongField({ parameters = [] }: DescribedOperation, body: Content): string | undefined {
  const [example] = Object.values(body).map((media) => media.example);
  const ofBody = typeof example === 'object' && example !== null ? Object.keys(example)[0] : undefined;
  const inPlace = (place: string) => parameters.find((parameter) => parameter.in === place)?.name;
  return ofBody ?? (parameters.some(({ name }) => name === 'limit') ? 'limit' : (inPlace('query') ?? inPlace('path')));
}
