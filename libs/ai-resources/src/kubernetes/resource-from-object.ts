import type { KubernetesObject } from '@gatehouse/kubernetes/client';
import { z } from 'zod';
import { API_VERSION, type ResourceKind, type ResourcesByKind } from '../resource.ts';

const Texts = z.record(z.string(), z.string());

/** The members of an object that a resource has. The schema drops all others. */
const ResourceObject = z.object({
  metadata: z.object({
    name: z.string().min(1),
    namespace: z.string().min(1),
    labels: Texts.exactOptional(),
    annotations: Texts.exactOptional(),
    uid: z.string().min(1),
    resourceVersion: z.string().regex(/^\d+$/),
    generation: z.int(),
    creationTimestamp: z.string(),
    deletionTimestamp: z.string().exactOptional(),
  }),
  spec: z.custom((value) => typeof value === 'object' && value !== null),
  status: z.looseObject({}).exactOptional(),
});

/**
 * Returns an object of the API as a resource, without the members of the server that no service
 * needs, such as `managedFields`. The API has checked `spec` and `status` by the CRD.
 * @returns undefined when the object is no resource
 */
export function readResourceObject<Kind extends ResourceKind>(
  kind: Kind,
  object: KubernetesObject,
): ResourcesByKind[Kind] | undefined {
  const { success, data } = ResourceObject.safeParse(object);
  return success ? ({ apiVersion: API_VERSION, kind, ...data } as unknown as ResourcesByKind[Kind]) : undefined;
}
