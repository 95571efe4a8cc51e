import { Injectable } from '@nestjs/common';
import { providerConfiguration, resourceTypeDocuments, schemaDocuments } from '../protocol/discovery.ts';
import { listResponse } from '../protocol/resources.ts';
import { type JsonObject, ScimError } from '../protocol/types.ts';
import type { DiscoveryQuery } from '../http/scim.dto.ts';
import { ScimIssuers } from '../http/scim-issuers.ts';

/**
 * The documents that describe a SCIM endpoint. They are the same for all issuers but for their
 * addresses.
 */
@Injectable()
export class ScimDiscoveryService {
  constructor(private readonly issuers: ScimIssuers) {}

  /** @throws ScimError 403 for a filter, as all of these */
  configuration(issuerId: string, query: DiscoveryQuery): JsonObject {
    refuseFilter(query);
    return providerConfiguration(this.issuers.baseUrl(issuerId));
  }

  resourceTypes(issuerId: string, query: DiscoveryQuery): JsonObject {
    refuseFilter(query);
    return all(resourceTypeDocuments(this.issuers.baseUrl(issuerId)));
  }

  /** @throws ScimError 404 */
  resourceType(issuerId: string, id: string, query: DiscoveryQuery): JsonObject {
    refuseFilter(query);
    return named(resourceTypeDocuments(this.issuers.baseUrl(issuerId)), id, 'resource type');
  }

  schemas(issuerId: string, query: DiscoveryQuery): JsonObject {
    refuseFilter(query);
    return all(schemaDocuments(this.issuers.baseUrl(issuerId)));
  }

  /** @throws ScimError 404 */
  schema(issuerId: string, id: string, query: DiscoveryQuery): JsonObject {
    refuseFilter(query);
    return named(schemaDocuments(this.issuers.baseUrl(issuerId)), id, 'schema');
  }
}

/** All of them on one page: paging and sorting do not apply here (RFC 7644 §4). */
const all = (documents: JsonObject[]): JsonObject => listResponse(documents, documents.length);

/** Names of schemas and types are compared without case (RFC 7643 §2.1). */
const named = (documents: JsonObject[], id: string, kind: string): JsonObject => {
  const found = documents.find((document) => String(document['id']).toLowerCase() === id.toLowerCase());
  if (!found) throw new ScimError(404, undefined, `There is no such ${kind}.`);
  return found;
};

/** Ignoring a filter would let a client believe that what comes back matches it (RFC 7644 §4). */
const refuseFilter = ({ filter }: DiscoveryQuery): void => {
  if (filter !== undefined) throw new ScimError(403, undefined, 'filter: these documents cannot be filtered.');
};
