import { Injectable } from '@nestjs/common';
import {
  createProviderConfiguration,
  createResourceTypeDocuments,
  createSchemaDocuments,
} from '../protocol/discovery.ts';
import { listResponse } from '../protocol/resources.ts';
import { type JsonObject, ScimError } from '../protocol/types.ts';
import type { DiscoveryQuery } from '../http/scim.dto.ts';
import { ScimIssuers } from '../http/scim-issuers.ts';

/** The documents that describe a SCIM endpoint. They differ between issuers by their URLs only. */
@Injectable()
export class ScimDiscoveryService {
  constructor(private readonly issuers: ScimIssuers) {}

  /** Returns the service provider configuration. @throws ScimError 403 for a filter */
  getConfiguration(issuerId: string, query: DiscoveryQuery): JsonObject {
    refuseFilter(query);
    return createProviderConfiguration(this.issuers.getBaseUrl(issuerId));
  }

  /** Lists the resource types. @throws ScimError 403 for a filter */
  listResourceTypes(issuerId: string, query: DiscoveryQuery): JsonObject {
    refuseFilter(query);
    return toList(createResourceTypeDocuments(this.issuers.getBaseUrl(issuerId)));
  }

  /** Returns a resource type. @throws ScimError 403, 404 */
  getResourceType(issuerId: string, id: string, query: DiscoveryQuery): JsonObject {
    refuseFilter(query);
    return findById(createResourceTypeDocuments(this.issuers.getBaseUrl(issuerId)), id, 'resource type');
  }

  /** Lists the schemas. @throws ScimError 403 for a filter */
  listSchemas(issuerId: string, query: DiscoveryQuery): JsonObject {
    refuseFilter(query);
    return toList(createSchemaDocuments(this.issuers.getBaseUrl(issuerId)));
  }

  /** Returns a schema. @throws ScimError 403, 404 */
  getSchema(issuerId: string, id: string, query: DiscoveryQuery): JsonObject {
    refuseFilter(query);
    return findById(createSchemaDocuments(this.issuers.getBaseUrl(issuerId)), id, 'schema');
  }
}

/** Returns all documents on one page, without paging and sorting (RFC 7644 §4). */
const toList = (documents: JsonObject[]): JsonObject => listResponse(documents, documents.length);

/** Finds a document by id, case-insensitively (RFC 7643 §2.1). */
const findById = (documents: JsonObject[], id: string, kind: string): JsonObject => {
  const found = documents.find((document) => String(document['id']).toLowerCase() === id.toLowerCase());
  if (!found) throw new ScimError(404, undefined, `There is no such ${kind}.`);
  return found;
};

/** A client would take an ignored filter for an applied one (RFC 7644 §4). */
const refuseFilter = ({ filter }: DiscoveryQuery): void => {
  if (filter !== undefined) throw new ScimError(403, undefined, 'filter: these documents cannot be filtered.');
};
