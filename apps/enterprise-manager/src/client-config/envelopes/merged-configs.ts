import type { JsonObject } from '@gatehouse/signed-config/canonical';
import { type DegradedMode, etagOfContent } from '@gatehouse/signed-config/envelope';
import { Injectable } from '@nestjs/common';
import { getEffectiveConfig } from '../document/client-config.ts';
import { ClientConfigRepository, type StoredClientConfig } from '../document/client-config.repository.ts';
import type { EnterpriseConfig } from '../document/directives.dto.ts';
import { LRUCache } from 'lru-cache';

/** The configuration for a set of groups. The users of these groups share it. */
export interface MergedConfig {
  config: EnterpriseConfig;
  /**
   * `config` as plain JSON, for signatures. It shares its directives with the documents, which can
   * be large, and must not be changed.
   */
  json: JsonObject;
  /** The degraded mode of `config`, as an envelope has it while all dependencies are available. */
  degraded_mode?: DegradedMode;
  /** The etag of envelopes with this content. */
  etag: string;
}

/** Number of sets of groups in memory. */
const MAX_MERGED_CONFIGS = 2_000;

/** Merges the current documents, once for each set of groups. */
@Injectable()
export class MergedConfigs {
  private documents: StoredClientConfig | undefined;
  private readonly merged = new LRUCache<string, MergedConfig>({ max: MAX_MERGED_CONFIGS });

  constructor(private readonly repository: ClientConfigRepository) {}

  /**
   * Returns the configuration for the overrides of these groups.
   * @returns undefined if the documents have another revision now; the caller reads again
   */
  async get(revision: string, groupIds: readonly string[]): Promise<MergedConfig | undefined> {
    if (this.documents?.revision !== revision) {
      this.documents = await this.repository.find();
      this.merged.clear();
    }
    const documents = this.documents;
    if (documents.revision !== revision) return undefined;
    const key = groupIds.join();
    const cached = this.merged.get(key);
    if (cached) return cached;
    const created = mergeConfigs(documents, groupIds);
    if (created) this.merged.set(key, created);
    return created;
  }
}

/**
 * Merges the base with the overrides of these groups. The result shares its directives with the
 * documents.
 * @returns undefined if the documents lack an override, because it was written later
 */
export function mergeConfigs(
  { config, overrides }: StoredClientConfig,
  groupIds: readonly string[],
): MergedConfig | undefined {
  const own = groupIds.map((id) => overrides.find(({ group_id }) => group_id === id)?.config);
  if (own.includes(undefined)) return undefined;
  const effective = getEffectiveConfig(
    config,
    own.filter((override) => override !== undefined),
  );
  // Postgres returned plain JSON, without undefined members.
  const json = effective as JsonObject;
  const { degraded_mode: configured } = effective;
  const degraded_mode = configured && { ...configured, in_force: false };
  return { config: effective, json, ...(degraded_mode && { degraded_mode }), etag: etagOfContent(json, degraded_mode) };
}
