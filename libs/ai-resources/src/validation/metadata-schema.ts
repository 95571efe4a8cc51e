import type { StructuralSchema } from '../structural-schema.ts';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]';

/** The name of a label or annotation: an optional prefix, which is a DNS subdomain, and a name. */
const QUALIFIED_NAME = `^((?=[^/]{1,253}/)${SUBDOMAIN}/)?${NAME}$`;
/** The API server compares the names of annotations in lower case. */
const ANNOTATION_NAME = QUALIFIED_NAME.replace(SUBDOMAIN, SUBDOMAIN.replaceAll('a-z', 'A-Za-z'));

const LABEL_VALUE = `^(${NAME})?$`;

const resourceName = new RegExp(`^(?=.{1,253}$)${SUBDOMAIN}$`);
const labelKey = new RegExp(QUALIFIED_NAME);
const labelValue = new RegExp(LABEL_VALUE);

/** Whether the text is a name of a resource: a DNS-1123 subdomain. */
export const isResourceName = (text: string): boolean => resourceName.test(text);
export const isLabelKey = (text: string): boolean => labelKey.test(text);
export const isLabelValue = (text: string): boolean => labelValue.test(text);

/**
 * The rules of the API server for the metadata of a resource (k8s.io/apimachinery,
 * pkg/api/validation). The store sets the members without rules, so their values are ignored.
 * The value null of a label or annotation is an empty text.
 */
export const METADATA_SCHEMA: StructuralSchema = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 253, pattern: `^${SUBDOMAIN}$` },
    namespace: { type: 'string' },
    labels: {
      type: 'object',
      omitEmpty: true,
      propertyNames: { pattern: QUALIFIED_NAME },
      additionalProperties: { type: 'string', default: '', maxLength: 63, pattern: LABEL_VALUE },
    },
    annotations: {
      type: 'object',
      omitEmpty: true,
      propertyNames: { pattern: ANNOTATION_NAME },
      additionalProperties: { type: 'string', default: '' },
      // Of all names and values together.
      maxBytes: 256 * 1024,
    },
    ...Object.fromEntries(
      [
        'creationTimestamp',
        'deletionGracePeriodSeconds',
        'deletionTimestamp',
        'finalizers',
        'generateName',
        'generation',
        'managedFields',
        'ownerReferences',
        'resourceVersion',
        'selfLink',
        'uid',
      ].map((name) => [name, {}]),
    ),
  },
};
