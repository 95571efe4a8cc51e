import type { JsonObject } from '@gatehouse/signed-config/canonical';
import { type DegradedMode, etagOfContent } from '@gatehouse/signed-config/envelope';
import { Injectable } from '@nestjs/common';
import { getEffectiveConfig } from '../document/client-config.ts';
import { ClientConfigRepository, type StoredClientConfig } from '../document/client-config.repository.ts';
import type { EnterpriseConfig } from '../document/directives.dto.ts';
import { LRUCache } from 'lru-cache';

/** What the people of the same groups are configured with; they share one. */
export interface ConfigView {
  config: EnterpriseConfig;
  /**
   * The same as plain JSON, for signing: it shares its directives with the documents, which may be
   * large, and is never changed.
   */
  json: JsonObject;
  /** The degraded mode of `config`, as it stands beside it while nothing is down. */
  degraded_mode?: DegradedMode;
  /** Etag of envelopes that say just this. */
  etag: string;
}

/** Different sets of groups that are remembered. */
const MAX_VIEWS = 2_000;

/** The configurations of the present documents, each merged once. */
@Injectable()
export class ConfigViews {
  private documents: StoredClientConfig | undefined;
  private readonly views = new LRUCache<string, ConfigView>({ max: MAX_VIEWS });

  constructor(private readonly repository: ClientConfigRepository) {}

  /**
   * The view of a person with these overrides.
   * @returns undefined when the documents have another revision by now: the facts are to be read
   * again
   */
  async of(revision: string, groupIds: readonly string[]): Promise<ConfigView | undefined> {
    if (this.documents?.revision !== revision) {
      this.documents = await this.repository.find();
      this.views.clear();
    }
    const documents = this.documents;
    if (documents.revision !== revision) return undefined;
    const key = groupIds.join();
    const known = this.views.get(key);
    if (known) return known;
    const made = viewOf(documents, groupIds);
    if (made) this.views.set(key, made);
    return made;
  }
}

/**
 * The view of a person with these overrides, which shares the directives of the documents.
 * @returns undefined for an override that the documents do not have: it can only be one that was
 * written since
 */
export function viewOf({ config, overrides }: StoredClientConfig, groupIds: readonly string[]): ConfigView | undefined {
  const own = groupIds.map((id) => overrides.find(({ group_id }) => group_id === id)?.config);
  if (own.includes(undefined)) return undefined;
  const effective = getEffectiveConfig(
    config,
    own.filter((override) => override !== undefined),
  );
  // As Postgres gave it: plain JSON without undefined members.
  const json = effective as JsonObject;
  const { degraded_mode: configured } = effective;
  const degraded_mode = configured && { ...configured, in_force: false };
  return { config: effective, json, ...(degraded_mode && { degraded_mode }), etag: etagOfContent(json, degraded_mode) };
}
