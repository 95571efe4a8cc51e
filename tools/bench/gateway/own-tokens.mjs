import { randomUUID } from 'node:crypto';
import { Buffer } from 'node:buffer';
import { sealTokens } from '../../../apps/connector-gateway/dist/vault/token-seal.js';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { parseKeyRing } from '@gatehouse/envelope/key-ring';
import { connect } from '../real-manager.mjs';
import { addConnectors } from './scene.mjs';

/**
 * Adds two connectors at one upstream, each for a user of its own: the requests of the first have a
 * bearer token of the connector, those of the second the upstream token of the user.
 * @returns the slug of both
 */
export async function addCredentialConnectors(scene, { port, shared, personal }) {
  const secret = await scene.api('POST', '/v1/managed-secrets', { name: 'bench', value: 'b'.repeat(64) });
  const bearer = { type: 'bearerToken', bearer_token: { token: { managed_secret_id: secret.id } } };
  const ofConnector = await addConnectors(scene, { name: shared, ports: [port], people: [shared], auth: bearer });
  const provider = await scene.api('POST', '/v1/connector-identity-providers', {
    name: 'bench',
    provider_type: 'oauth2',
    oauth2_config: {
      authorization_endpoint: 'https://login.example.com/authorize',
      token_endpoint: 'https://login.example.com/token',
      client_id: 'gatehouse',
    },
  });
  const signIn = { type: 'upstreamInject', upstream_inject: { provider_id: provider.id } };
  const ofUser = await addConnectors(scene, { name: personal, ports: [port], people: [personal], auth: signIn });
  return { shared: ofConnector.slugs[0], personal: ofUser.slugs[0], personalId: ofUser.ids[0] };
}

/** Stores an upstream token of a user as a sign-in does. The gateway has created the table. */
export async function storeUpstreamToken(scene, { subject, connectorId, port, keys }) {
  const cipher = new EnvelopeCipher();
  cipher.setKeys(parseKeyRing(keys));
  const owner = { issuer: scene.issuer.name, subject, connectorId };
  const origin = {
    providerIssuer: 'https://login.example.com',
    clientId: 'gatehouse',
    upstreamOrigin: `http://127.0.0.1:${port}`,
  };
  const sealed = sealTokens(cipher, { accessToken: 'a'.repeat(64), refreshToken: 'r'.repeat(64) }, owner, origin);
  const database = await connect(scene.urls.ownerUrl);
  try {
    await database.query(
      `INSERT INTO upstream_tokens (id, issuer, subject, connector_id, provider_issuer, client_id, upstream_origin,
         key_version, wrapped_key, ciphertext, access_expires_at, status, version, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + interval '1 day', 'connected', 1, now())`,
      [
        ...[randomUUID(), owner.issuer, subject, connectorId],
        ...[origin.providerIssuer, origin.clientId, origin.upstreamOrigin],
        ...[sealed.key_version, Buffer.from(sealed.wrapped_key), Buffer.from(sealed.ciphertext)],
      ],
    );
  } finally {
    await database.end();
  }
}
