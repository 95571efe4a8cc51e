import * as z from 'zod/mini';

const text = z.optional(z.nullable(z.string()));
const texts = z.readonly(z.array(z.string()));

/** The authorization configuration, in a file and in a run configuration. */
export const AuthorizationSchema = z.looseObject({
  version: z.string(),
  /** `cedarv1`; others are read and refused at the start. */
  type: z.string(),
  cedar: z.optional(
    z.nullable(
      z.looseObject({
        policies: texts,
        /** A JSON text with the list of entities. */
        entities_json: text,
        group_claim_name: text,
        role_claim_name: text,
        group_entity_type: text,
        multi_valued_claims: z.optional(z.nullable(texts)),
        primary_upstream_provider: text,
      }),
    ),
  ),
});
export type AuthorizationConfig = Readonly<z.output<typeof AuthorizationSchema>>;
