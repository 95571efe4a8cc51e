import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The types of SCIM resources (RFC 7643 §4). */
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
 * The error of a SCIM request, with the fields of its response (RFC 7644 §3.12). The detail names
 * the attribute and the valid values.
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

/** A JSON object that is not validated. */
export type JsonObject = Record<string, unknown>;

/** A JSON value as text. */
export type JsonText = string;

/** A user as a client sends it, validated and in canonical spelling. */
export interface UserInput {
  /** In the client's spelling; case-insensitive (RFC 7643 §4.1.1). */
  user_name: string;
  external_id: string | null;
  active: boolean;
  /**
   * All other attributes except `password`, as `users.scim` stores them: by canonical name, the
   * enterprise extension by its URN. `active: null` when a client removed `active`.
   */
  attributes: JsonObject;
}

/** A member as a client sends it. `type` is absent when the client did not send it. */
export interface MemberInput {
  /** Id of a user or group: a UUID in lower case. Any other text matches no member. */
  value: string;
  type?: ResourceType;
}

/** A group as a client sends it with POST or PUT. */
export interface GroupInput {
  display_name: string;
  external_id: string | null;
  members: MemberInput[];
}

/** A step of a PATCH of a group, in the order of its operations. Each is one SQL statement. */
export type GroupChange =
  | { kind: 'set_display_name'; display_name: string }
  | { kind: 'set_external_id'; external_id: string | null }
  | { kind: 'add_members'; members: MemberInput[] }
  /** Removes the given ids. An id that is not a member is ignored. */
  | { kind: 'remove_members'; values: string[] }
  /** Removes all members of a type. */
  | { kind: 'remove_members_of_type'; type: ResourceType }
  /** Replaces all members. */
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

/** The place of an attribute in a resource or extension: `name` or `name.givenName`. */
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
   * `emails[type eq "work"]`: one element matches the whole inner filter. The paths of the inner
   * filter start at the element.
   */
  | { kind: 'element'; path: AttributePath; filter: Filter };

/** A validated operation of a PATCH. */
export interface PatchOperation {
  op: 'add' | 'remove' | 'replace';
  /** In the client's spelling; undefined when absent. */
  path?: string;
  /** Undefined only for a `remove` without a value. */
  value?: unknown;
}

/** The attributes that a response contains (RFC 7644 §3.9). */
export interface Projection {
  /** Lower-case qualified names; undefined: the default set. */
  only?: ReadonlySet<string>;
  without: ReadonlySet<string>;
}

/** The columns of `users` that SCIM shows. */
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

/** The columns of `groups` that SCIM shows. */
export interface StoredGroup {
  id: string;
  display_name: string;
  external_id: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}
