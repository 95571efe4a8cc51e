import { z } from 'zod';
import { line, sumName } from '../../validation/text.ts';

/** Largest number of tokens or of attempts that anybody can mean. */
const MOST = 1_000_000_000;

/** Why nothing was admitted or granted. */
export const DENIALS = [
  'budget_exhausted',
  'no_budget',
  'unpriceable',
  'model_not_granted',
  'key_inactive',
  'principal_inactive',
] as const;
export type Denial = (typeof DENIALS)[number];

const denial = () =>
  z
    .enum(DENIALS)
    .describe('For the gateway and its log; `model_not_granted` is a gateway’s own and never answered from here');

/** Whom a gateway speaks of: exactly one of the two kinds. */
export const PrincipalWrite = z
  .union(
    [
      z.strictObject({ issuer: line(2_048), subject: line(255) }).meta({ id: 'PersonPrincipal' }),
      z.strictObject({ virtual_key_id: line(64) }).meta({ id: 'KeyPrincipal' }),
    ],
    { error: 'must be either {"issuer", "subject"} of a verified token or {"virtual_key_id"}' },
  )
  .describe('The person that a verified token speaks of, or the virtual key that was presented');

const tokens = () => z.int().min(0).max(MOST);

/** Body of `POST /webhooks/budgets/admission`. */
export const AdmissionRequest = z
  .strictObject({
    interaction_id: line(256).describe('The request of the end caller, the same for all of its attempts'),
    attempt: z.int().min(1).max(MOST).describe('Which call of an upstream for it; a fallback is another attempt'),
    gateway_id: line(256).meta({ examples: ['local-ai'] }),
    principal: PrincipalWrite,
    provider: sumName(256),
    requested_model: line(512).describe('As the caller named it'),
    model: sumName(512).describe('As the upstream will be asked; by this name it has a price'),
    route: line(512),
    estimate: z
      .strictObject({
        prompt_tokens: tokens(),
        max_output_tokens: tokens()
          .optional()
          .describe('The limit that the request sets; without it that of the model, 8192 where it is not known'),
      })
      .meta({ id: 'UsageEstimate' }),
  })
  .meta({ id: 'AdmissionRequest', description: 'A request that a gateway would send to an upstream' });
export type AdmissionRequest = z.infer<typeof AdmissionRequest>;

const payer = () =>
  z
    .object({ scope: z.enum(['user', 'group']), subject_id: z.string() })
    .describe('Whose budget pays; absent where no budget exists, which is unlimited')
    .optional();

/** What was decided. */
export const AdmissionAnswer = z
  .object({
    decision: z.enum(['admitted', 'denied']),
    reason: denial().optional(),
    message: z.string().optional().describe('What the end caller may be told; it does not tell the reasons apart'),
    reservation_id: z.guid().optional(),
    admitted_at: z.iso.datetime().describe('When it was decided; the `event_time` of the usage'),
    expires_at: z.iso.datetime().optional().describe('When the reservation ends unless it is extended'),
    payer: payer(),
    reserved_usd: z.string().optional().describe('USD; 0 where no budget exists: then nothing is held'),
    pricing_catalog_id: z
      .guid()
      .optional()
      .describe('The version of the prices that holds for this request to its end'),
  })
  .meta({ id: 'AdmissionAnswer', description: 'Whether a request may run' });
export type AdmissionAnswer = z.infer<typeof AdmissionAnswer>;

/** What `POST /webhooks/ping` takes: nothing. */
export const Ping = z.strictObject({}).meta({ id: 'Ping', description: 'Nothing' });

/** That decisions can be had here. */
export const Pong = z
  .object({ status: z.literal('ok'), time: z.iso.datetime() })
  .meta({ id: 'Pong', description: 'This service and its database answer' });
export type Pong = z.infer<typeof Pong>;
