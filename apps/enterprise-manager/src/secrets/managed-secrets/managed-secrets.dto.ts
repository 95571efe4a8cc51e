import { pageParameters } from '@gatehouse/service-kit/paging';
import { sizeLimit } from '@gatehouse/service-kit/sentences';
import { z } from 'zod';
import { hasVisibleCharacter } from '../../validation/names.ts';
import { filterText, uniqueName, uuid } from '../../validation/text.ts';
import { MAX_VALUE_BYTES } from './managed-secret.ts';
import type { StoredSecret } from './managed-secrets.repository.ts';

/** A managed secret as administrators see it: never its value. */
export const ManagedSecret = z
  .object({
    id: z.guid(),
    name: z.string().describe('Unique, whatever its case or Unicode form'),
    version: z.int().min(1).describe('Counts the values that the secret has had'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().describe('When the value was last written'),
  })
  .meta({ id: 'ManagedSecret', description: 'A secret that connectors refer to; its value is never shown' });
export type ManagedSecret = z.infer<typeof ManagedSecret>;

/** A page of managed secrets. */
export const ManagedSecretPage = z
  .object({ items: z.array(ManagedSecret), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'ManagedSecretPage', description: 'Managed secrets in the order in which they were made' });
export type ManagedSecretPage = z.infer<typeof ManagedSecretPage>;

/** What the list takes. */
export const ManagedSecretListQuery = z.strictObject({
  name: filterText().optional().describe('Exact name; case does not matter'),
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
    .describe(`Kept encrypted and never shown; at most ${MAX_VALUE_BYTES / 1024} KiB of UTF-8, else 413`);

/** The name of a secret. */
export const secretName = () => uniqueName(256).refine(hasVisibleCharacter, 'must contain a visible character');

/** Body of `POST /v1/managed-secrets`. */
export const ManagedSecretCreate = z
  .strictObject({ name: secretName(), value: value() })
  .meta({ id: 'ManagedSecretCreate', description: 'A new secret' });
export type ManagedSecretCreate = z.infer<typeof ManagedSecretCreate>;

/** Body of `PUT /v1/managed-secrets/{id}`. */
export const ManagedSecretUpdate = z
  .strictObject({ value: value() })
  .meta({ id: 'ManagedSecretUpdate', description: 'The next value of a secret' });
export type ManagedSecretUpdate = z.infer<typeof ManagedSecretUpdate>;

/** The path of a secret that a gateway asks for. */
export const RevealPath = z.strictObject({ gateway_id: z.string(), id: uuid() });
export type RevealPath = z.infer<typeof RevealPath>;

/** What a gateway is told. */
export const RevealedSecret = z
  .object({ value: z.string(), version: z.int().min(1).describe('As the snapshot names it') })
  .meta({ id: 'RevealedSecret', description: 'The value of a secret, for a gateway that sends it to an upstream' });
export type RevealedSecret = z.infer<typeof RevealedSecret>;

/** A stored secret as administrators see it. */
export const toManagedSecret = ({ id, name, version, created_at, updated_at }: StoredSecret): ManagedSecret => ({
  id,
  name,
  version,
  created_at,
  updated_at,
});
