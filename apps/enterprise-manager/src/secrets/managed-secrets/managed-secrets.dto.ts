import { pageParameters } from '@gatehouse/service-kit/paging';
import { sizeLimit } from '@gatehouse/service-kit/sentences';
import { z } from 'zod';
import { hasVisibleCharacter } from '../../validation/names.ts';
import { filterText } from '@gatehouse/service-kit/text';
import { uniqueName, uuid } from '../../validation/text.ts';
import { MAX_VALUE_BYTES } from './managed-secret.ts';
import type { StoredSecret } from './managed-secrets.repository.ts';

/** A managed secret without its value. */
export const ManagedSecret = z
  .object({
    id: z.guid(),
    name: z.string().describe('Unique regardless of case and Unicode form'),
    version: z.int().min(1).describe('Number of the value, from 1. Each update increments it'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().describe('Time of the last new value'),
  })
  .meta({
    id: 'ManagedSecret',
    description: 'A secret that connectors and identity providers refer to, without its value',
  });
export type ManagedSecret = z.infer<typeof ManagedSecret>;

/** A page of managed secrets. */
export const ManagedSecretPage = z
  .object({ items: z.array(ManagedSecret), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'ManagedSecretPage', description: 'Managed secrets in the order of their creation' });
export type ManagedSecretPage = z.infer<typeof ManagedSecretPage>;

/** Query of `GET /v1/managed-secrets`. */
export const ManagedSecretListQuery = z.strictObject({
  name: filterText().optional().describe('Exact name, regardless of case'),
  ...pageParameters(),
});
export type ManagedSecretListQuery = z.infer<typeof ManagedSecretListQuery>;

const value = () =>
  z
    .string()
    .min(1)
    .refine(
      (text) => Buffer.byteLength(text) <= MAX_VALUE_BYTES,
      sizeLimit(`must be at most ${MAX_VALUE_BYTES} bytes long`),
    )
    .describe(`Stored encrypted and never returned. At most ${MAX_VALUE_BYTES / 1024} KiB of UTF-8, otherwise 413`);

/** The schema of a secret's name. */
export const secretName = () => uniqueName(256).refine(hasVisibleCharacter, 'must contain a visible character');

/** Body of `POST /v1/managed-secrets`. */
export const ManagedSecretCreate = z
  .strictObject({ name: secretName(), value: value() })
  .meta({ id: 'ManagedSecretCreate', description: 'A new secret' });
export type ManagedSecretCreate = z.infer<typeof ManagedSecretCreate>;

/** Body of `PUT /v1/managed-secrets/{id}`. */
export const ManagedSecretUpdate = z
  .strictObject({ value: value() })
  .meta({ id: 'ManagedSecretUpdate', description: 'The new value of a secret' });
export type ManagedSecretUpdate = z.infer<typeof ManagedSecretUpdate>;

/** Path of `POST /gateway/v1/gateways/{gateway_id}/secrets/{id}/reveal`. */
export const RevealPath = z.strictObject({ gateway_id: z.string(), id: uuid() });
export type RevealPath = z.infer<typeof RevealPath>;

/** The value of a secret for a gateway. */
export const RevealedSecret = z
  .object({ value: z.string(), version: z.int().min(1).describe('Version of the value, as in the gateway snapshot') })
  .meta({ id: 'RevealedSecret', description: 'The value of a secret for a gateway that sends it to an upstream' });
export type RevealedSecret = z.infer<typeof RevealedSecret>;

/** Converts a stored secret to the response for administrators. */
export const toManagedSecret = ({ id, name, version, created_at, updated_at }: StoredSecret): ManagedSecret => ({
  id,
  name,
  version,
  created_at,
  updated_at,
});
