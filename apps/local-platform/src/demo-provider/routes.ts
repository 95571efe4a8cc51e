import { countMessageTokens, createMessage } from './anthropic.ts';
import { DEMO_MODEL } from './echo.ts';
import type { Vendor } from './errors.ts';
import {
  batchEmbedContents,
  countContentTokens,
  embedContent,
  generateContent,
  streamGenerateContent,
} from './google.ts';
import { completeChat } from './openai-chat.ts';
import { embed } from './openai-embeddings.ts';
import { createResponse } from './openai-responses.ts';
import type { Operation } from './reply.ts';

/** An operation of a vendor. */
export interface Route {
  readonly vendor: Vendor;
  /** Undefined for a path that no operation has. */
  readonly operation: Operation | undefined;
  readonly pathModel: string;
}

const POSTS: Readonly<Record<string, readonly [Vendor, Operation]>> = {
  '/v1/chat/completions': ['openai', completeChat],
  '/v1/responses': ['openai', createResponse],
  '/v1/embeddings': ['openai', embed],
  '/v1/messages': ['anthropic', createMessage],
  '/v1/messages/count_tokens': ['anthropic', countMessageTokens],
};

const GOOGLE: Readonly<Record<string, Operation>> = {
  generateContent,
  streamGenerateContent,
  countTokens: countContentTokens,
  embedContent,
  batchEmbedContents,
};

/** Finds the operation of a request. @param isAnthropic whether it has the header of Anthropic */
export function findRoute(method: string, path: string, isAnthropic: boolean): Route {
  const found = method === 'POST' && Object.hasOwn(POSTS, path) ? POSTS[path] : undefined;
  if (found !== undefined) return { vendor: found[0], operation: found[1], pathModel: '' };
  const [, pathModel = '', verb = ''] = /^\/v1(?:beta)?\/models\/([^/:]+):([A-Za-z]+)$/.exec(path) ?? [];
  if (verb !== '') {
    const operation = method === 'POST' && Object.hasOwn(GOOGLE, verb) ? GOOGLE[verb] : undefined;
    return { vendor: 'google', operation, pathModel };
  }
  const vendor = path.startsWith('/v1beta/') ? 'google' : isAnthropic ? 'anthropic' : 'openai';
  const isList = method === 'GET' && (path === '/v1/models' || path === '/v1beta/models');
  return { vendor, operation: isList ? () => ({ json: MODEL_LISTS[vendor] }) : undefined, pathModel: '' };
}

const NAME = 'Demo: repeats your message';
const MODEL_LISTS: Readonly<Record<Vendor, object>> = {
  openai: { object: 'list', data: [{ id: DEMO_MODEL, object: 'model', created: 0, owned_by: 'gatehouse-demo' }] },
  anthropic: {
    data: [{ type: 'model', id: DEMO_MODEL, display_name: NAME, created_at: '2026-01-01T00:00:00Z' }],
    has_more: false,
    first_id: DEMO_MODEL,
    last_id: DEMO_MODEL,
  },
  google: { models: [{ name: `models/${DEMO_MODEL}`, displayName: NAME, version: '1' }] },
};
