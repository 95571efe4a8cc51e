import { findAttribute, COMMON_ATTRIBUTES, RESOURCE_KINDS } from './schemas.ts';
import type { AttributePath, ResourceType } from './types.ts';

/** The meaning of a name: an attribute, an extension, or unknown. */
export type ResolvedName =
  { kind: 'attribute'; path: AttributePath } | { kind: 'extension'; extension: string } | { kind: 'unknown' };

const NAME = /^(?:[a-z][\w-]*|\$ref)(?:\.(?:[a-z][\w-]*|\$ref))?$/i;
const UNKNOWN: ResolvedName = { kind: 'unknown' };

/**
 * Whether a text has the form of an attribute path: an optional URN and a colon, a name, an
 * optional sub-attribute (RFC 7644 §3.10).
 */
export const isAttributePath = (text: string): boolean => {
  const end = /^urn:/i.test(text) ? text.lastIndexOf(':') + 1 : 0;
  // A URN ends in a version such as `2.0:User`. The text after the last colon is the attribute, or
  // the end of an extension's URN.
  return NAME.test(text.slice(end)) && /^[\w:.+-]*$/.test(text.slice(0, end));
};

/**
 * Resolves the name of an attribute or extension (RFC 7644 §3.10). Names are case-insensitive and
 * may have the URN of the schema as a prefix. Attributes of an extension also resolve by the bare
 * name (`manager`), because large identity providers send it; core attributes take precedence.
 */
export function resolveName(text: string, resourceType: ResourceType): ResolvedName {
  const { core, extensions } = RESOURCE_KINDS[resourceType];
  const lower = text.toLowerCase();
  for (const { id, attributes } of extensions) {
    if (lower === id.toLowerCase()) return { kind: 'extension', extension: id };
    // Some clients join the URN and the name with a dot.
    if (lower.startsWith(`${id.toLowerCase()}:`) || lower.startsWith(`${id.toLowerCase()}.`))
      return resolveWithin(text.slice(id.length + 1), attributes, id);
  }
  const ofCore = [...core.attributes, ...COMMON_ATTRIBUTES];
  if (lower.startsWith(`${core.id.toLowerCase()}:`)) return resolveWithin(text.slice(core.id.length + 1), ofCore);
  const found = resolveWithin(text, ofCore);
  if (found.kind !== 'unknown') return found;
  for (const { id, attributes } of extensions) {
    const bare = resolveWithin(text, attributes, id);
    if (bare.kind !== 'unknown') return bare;
  }
  return UNKNOWN;
}

function resolveWithin(
  name: string,
  attributes: Parameters<typeof findAttribute>[0],
  extension?: string,
): ResolvedName {
  const [first = '', second, ...more] = name.split('.');
  const attribute = findAttribute(attributes, first);
  if (!attribute || more.length > 0) return UNKNOWN;
  const path: AttributePath = { ...(extension !== undefined && { extension }), attribute };
  if (second === undefined) return { kind: 'attribute', path };
  const subAttribute = findAttribute(attribute.subAttributes ?? [], second);
  return subAttribute ? { kind: 'attribute', path: { ...path, subAttribute } } : UNKNOWN;
}

/**
 * Finds an attribute inside an element of a multi-valued attribute: `type` in `emails[type eq
 * "work"]`.
 */
export const resolveInside = (name: string, outer: AttributePath): AttributePath | undefined => {
  const subAttribute = findAttribute(outer.attribute.subAttributes ?? [], name);
  return subAttribute && { ...outer, subAttribute };
};

/** The text of a path, in messages and projections. */
export const formatPath = ({ extension, attribute, subAttribute }: AttributePath): string =>
  `${extension === undefined ? '' : `${extension}:`}${attribute.name}${subAttribute ? `.${subAttribute.name}` : ''}`;

/** The last attribute of a path. */
export const getLeaf = ({ attribute, subAttribute }: AttributePath) => subAttribute ?? attribute;
