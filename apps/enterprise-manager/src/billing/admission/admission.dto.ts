import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { rollupKeyText } from '../../validation/text.ts';

/** Maximum of token counts and attempt numbers. */
const MAX_COUNT = 1_000_000_000;

/** The reasons of a denial. */
export const DENIAL_REASONS = [
  'budget_exhausted',
  'no_budget',
  'unpriceable',
  'model_not_granted',
  'key_inactive',
  'principal_inactive',
] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];

const denialReason = () =>
  z
    .enum(DENIAL_REASONS)
    .describe(
      'Why the request is denied, for the gateway and its log. Only gateways themselves use `model_not_granted`; this operation never returns it',
    );

/** The principal of a request: a user by a verified token, or a virtual key. */
export const PrincipalWrite = z
  .union(
    [
      z.strictObject({ issuer: line(2_048), subject: line(255) }).meta({ id: 'PersonPrincipal' }),
      z.strictObject({ virtual_key_id: line(64) }).meta({ id: 'KeyPrincipal' }),
    ],
    { error: 'must be either {"issuer", "subject"} of a verified token or {"virtual_key_id"}' },
  )
  .describe('The user that a verified token identifies, or the virtual key that the client presented');

const tokens = () => z.int().min(0).max(MAX_COUNT);

/** Body of `POST /webhooks/budgets/admission`. */
export const AdmissionRequest = z
  .strictObject({
    interaction_id: line(256).describe('Identifies the request of the client; the same for all of its attempts'),
    attempt: z
      .int()
      .min(1)
      .max(MAX_COUNT)
      .describe('Number of the call to an upstream for this interaction; a fallback is another attempt'),
    gateway_id: line(256).meta({ examples: ['local-ai'] }),
    principal: PrincipalWrite,
    provider: rollupKeyText(256),
    requested_model: line(512).describe('The model as the client named it'),
    model: rollupKeyText(512).describe(
      'The model as the gateway names it to the upstream; its price is found by this name',
    ),
    route: line(512),
    estimate: z
      .strictObject({
        prompt_tokens: tokens(),
        max_output_tokens: tokens()
          .optional()
          .describe(
            'The output limit of the request. Default: the output limit of the model, or 8192 where that is unknown',
          ),
      })
      .meta({ id: 'UsageEstimate' }),
  })
  .meta({ id: 'AdmissionRequest', description: 'A model request that a gateway wants to send to an upstream' });
export type AdmissionRequest = z.infer<typeof AdmissionRequest>;

/** The payer of a reservation, in responses. */
export const payer = (description: string) =>
  z
    .object({ scope: z.enum(['user', 'group']), subject_id: z.string() })
    .describe(description)
    .optional();

/** Response of `POST /webhooks/budgets/admission`. */
export const AdmissionAnswer = z
  .object({
    decision: z.enum(['admitted', 'denied']),
    reason: denialReason().optional(),
    message: z
      .string()
      .optional()
      .describe('A message for the client of the gateway; it is the same for all reasons of a denial'),
    reservation_id: z.guid().optional(),
    admitted_at: z.iso.datetime().describe('The time of the decision, which is the `event_time` of the usage'),
    expires_at: z.iso.datetime().optional().describe('The time at which the reservation ends unless it is extended'),
    payer: payer('The payer whose budget is charged; absent when no budget applies and spending is unlimited'),
    reserved_usd: z
      .string()
      .optional()
      .describe('Reserved amount in USD; 0 when no budget applies, because nothing is reserved then'),
    pricing_catalog_id: z
      .guid()
      .optional()
      .describe('The version of the pricing catalog that applies to this request until its end'),
  })
  .meta({ id: 'AdmissionAnswer', description: 'The decision whether a model request may run' });
export type AdmissionAnswer = z.infer<typeof AdmissionAnswer>;

/** Body of `POST /webhooks/ping`: an empty object. */
export const Ping = z.strictObject({}).meta({ id: 'Ping', description: 'An empty object' });

/** Response of `POST /webhooks/ping`. */
export const Pong = z
  .object({ status: z.literal('ok'), time: z.iso.datetime() })
  .meta({ id: 'Pong', description: 'The service and its database are available' });
export type Pong = z.infer<typeof Pong>;
