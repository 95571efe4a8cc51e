/** The keywords of a structural schema (Kubernetes, apiextensions.k8s.io/v1) that are used here. */
export interface StructuralSchema {
  /** Absent for any value. */
  readonly type?: 'array' | 'boolean' | 'integer' | 'object' | 'string';
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly items?: StructuralSchema;
  /** The schema of the values of a map, or false for an object with known members only. */
  readonly additionalProperties?: StructuralSchema | false;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly default?: unknown;
  /** Ours: an empty map is absent. */
  readonly omitEmpty?: boolean;
  /** The name of the type, in generated types and documents. */
  readonly title?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly [keyword: string]: unknown;
}
