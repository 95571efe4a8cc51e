import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** Kinds of SCIM resources that are served (RFC 7643 §4). */
export type ResourceType = 'User' | 'Group';

/** `scimType` of an error (RFC 7644 §3.12, table 9). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive';

/**
 * A refusal of a SCIM request; becomes the body of RFC 7644 §3.12. The detail names the attribute
 * and says what to send instead.
 */
export class ScimError extends GatehouseError {
  override readonly code = 'scim_request_refused';
  readonly status: number;
  readonly scimType: ScimType | undefined;
  readonly detail: string;

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
    this.detail = detail;
  }
}

/** A JSON object whose members nobody has looked at yet. */
export type JsonObject = Record<string, unknown>;

/** A JSON value as text. */
export type JsonText = string;

/** What a client says about a person, checked and in canonical spelling. */
export interface UserInput {
  /** As it was written; compared without case (RFC 7643 §4.1.1). */
  user_name: string;
  external_id: string | null;
  active: boolean;
  /**
   * Every other attribute under its canonical name, as `users.scim` holds it; the enterprise
   * extension under its URN. Without `password`. `active: null` where a client took `active` away.
   */
  attributes: JsonObject;
}

/** One member as a client names it. `type` is left out when the client did not say it. */
export interface MemberInput {
  /** Id of a user or group, a UUID in lower case; another text where it cannot be an id here. */
  value: string;
  type?: ResourceType;
}

/** What a client says about a group as a whole (POST and PUT). */
export interface GroupInput {
  display_name: string;
  external_id: string | null;
  members: MemberInput[];
}

/**
 * One step of a PATCH of a group, in the order of the operations. Each is one set-based statement.
 */
export type GroupChange =
  | { kind: 'set_display_name'; display_name: string }
  | { kind: 'set_external_id'; external_id: string | null }
  | { kind: 'add_members'; members: MemberInput[] }
  /** These ids only; an id that is no member is no error. */
  | { kind: 'remove_members'; values: string[] }
  /** Every member of one type. */
  | { kind: 'remove_members_of_type'; type: ResourceType }
  /** The members are exactly these afterwards. */
  | { kind: 'replace_members'; members: MemberInput[] };

/** Operators that compare an attribute with a value (RFC 7644 §3.4.2.2, table 3). */
export type CompareOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/** A literal of a filter. */
export type FilterValue = string | number | boolean | null;

/** One attribute of a schema (RFC 7643 §7). */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'decimal' | 'integer' | 'dateTime' | 'reference' | 'complex' | 'binary';
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact?: boolean;
  mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  returned: 'always' | 'never' | 'default' | 'request';
  uniqueness?: 'none' | 'server' | 'global';
  canonicalValues?: readonly string[];
  referenceTypes?: readonly string[];
  subAttributes?: readonly Attribute[];
}

/**
 * Where an attribute stands in a resource: `name`, `name.givenName`, or the same inside an
 * extension.
 */
export interface AttributePath {
  /** URN of the extension; undefined for the core schema and the common attributes. */
  extension?: string;
  attribute: Attribute;
  subAttribute?: Attribute;
}

/** A filter whose attributes are resolved against the schema of one resource type. */
export type Filter =
  | { kind: 'and' | 'or'; filters: Filter[] }
  | { kind: 'not'; filter: Filter }
  | { kind: 'present'; path: AttributePath }
  | { kind: 'compare'; path: AttributePath; operator: CompareOperator; value: FilterValue }
  /**
   * `emails[type eq "work"]`: one element fulfils the whole inner filter, whose paths start at the
   * element.
   */
  | { kind: 'element'; path: AttributePath; filter: Filter };

/** One checked operation of a PATCH. */
export interface PatchOperation {
  op: 'add' | 'remove' | 'replace';
  /** As it was sent; undefined when there was none. */
  path?: string;
  /** Undefined only for `remove` without one. */
  value?: unknown;
}

/** Which attributes a response carries (RFC 7644 §3.9). */
export interface Projection {
  /** Lower-case qualified names; undefined: the default set. */
  only?: ReadonlySet<string>;
  without: ReadonlySet<string>;
}

/** A row of `users` as far as SCIM shows it. */
export interface StoredUser {
  id: string;
  user_name: string;
  external_id: string | null;
  active: boolean;
  scim: JsonObject;
  version: number;
  /** RFC 3339 in UTC. */
  created_at: string;
  updated_at: string;
}

/** A row of `groups` as far as SCIM shows it. */
export interface StoredGroup {
  id: string;
  display_name: string;
  external_id: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}
