import { DecimalError } from '@gatehouse/money/decimal';
import { type Usd, readUsd } from '@gatehouse/money/usd';
import { z } from 'zod';
import { line, uuid } from '../../validation/text.ts';
import { DENIALS, PrincipalWrite } from './admission.dto.ts';

/** Longest time by which a reservation is extended, in seconds. */
const MAX_EXTENSION_SECONDS = 86_400;
/** Longest life of a lease in seconds. */
const MAX_LEASE_SECONDS = 3_600;

/**
 * RFC 9562 §5.7. Ids of requests' reservations have version 8: a lease never takes the place of
 * one.
 */
const VERSION_7 = /^.{14}7.{4}[89ab]/;

/** An amount of USD as callers write it. */
const usd = () =>
  z
    .string()
    .max(64)
    .transform((text, context): Usd => {
      try {
        return readUsd(text);
      } catch (error) {
        if (!(error instanceof DecimalError)) throw error;
        context.addIssue({ code: 'custom', message: error.message });
        return z.NEVER;
      }
    })
    .meta({ override: { type: 'string', example: '2.5' } });

/** The path of a reservation. */
export const ReservationPath = z.strictObject({ reservation_id: uuid() });
export type ReservationPath = z.infer<typeof ReservationPath>;

/** Body of `POST /gateway/v1/reservations/{reservation_id}/extend`. */
export const ReservationExtend = z
  .strictObject({ seconds: z.int().min(1).max(MAX_EXTENSION_SECONDS).describe('Counted from now') })
  .meta({ id: 'ReservationExtend', description: 'How much longer a request will run' });
export type ReservationExtend = z.infer<typeof ReservationExtend>;

/** A reservation that was extended. */
export const ExtendedReservation = z
  .object({ reservation_id: z.guid(), expires_at: z.iso.datetime() })
  .meta({ id: 'ExtendedReservation', description: 'Until when the reservation holds' });
export type ExtendedReservation = z.infer<typeof ExtendedReservation>;

/** Body of `POST /gateway/v1/budget-leases`. */
export const LeaseRequest = z
  .strictObject({
    lease_id: uuid()
      .regex(VERSION_7, 'must be a UUID of version 7, made by the gateway')
      .describe('UUID v7 that the gateway makes; a repeat with the same content is the same lease'),
    gateway_id: line(256).meta({ examples: ['local-ai'] }),
    principal: PrincipalWrite,
    amount_usd: usd()
      .refine((amount) => amount > 0n, 'must be more than 0')
      .describe('The most that is wanted'),
    ttl_seconds: z.int().min(1).max(MAX_LEASE_SECONDS),
  })
  .meta({ id: 'LeaseRequest', description: 'A slice of a budget from which a gateway would admit requests by itself' });
export type LeaseRequest = z.infer<typeof LeaseRequest>;

/** What was granted. */
export const LeaseAnswer = z
  .object({
    lease_id: z.guid().optional().describe('The `reservation_id` of usage that draws from it'),
    granted_usd: z.string().describe('USD; `0` where nothing is granted'),
    reason: z.enum(DENIALS).optional().describe('Why nothing is granted'),
    payer: z
      .object({ scope: z.enum(['user', 'group']), subject_id: z.string() })
      .describe('Whose budget it is a slice of; absent where no budget exists, which is unlimited')
      .optional(),
    expires_at: z.iso.datetime().optional(),
    pricing_catalog_id: z.guid().optional().describe('The version of the prices that holds for what draws from it'),
    key_version: z.int().optional().describe('The version of the virtual key that was looked at; 0 without a key'),
  })
  .meta({ id: 'LeaseAnswer', description: 'A slice of a budget, or why there is none' });
export type LeaseAnswer = z.infer<typeof LeaseAnswer>;

/** The path of a lease. */
export const LeasePath = z.strictObject({ lease_id: uuid() });
export type LeasePath = z.infer<typeof LeasePath>;

/** Body of `DELETE /gateway/v1/budget-leases/{lease_id}`. */
export const LeaseReturn = z
  .strictObject({
    unused_usd: usd().describe('What no request will use; what has been used and not reported yet is no part of it'),
  })
  .meta({ id: 'LeaseReturn', description: 'What of a lease was not needed' });
export type LeaseReturn = z.infer<typeof LeaseReturn>;
