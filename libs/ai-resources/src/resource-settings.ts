import { z } from 'zod';

const dnsLabel = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be a DNS label (RFC 1123)');

/** The variables that select the source of the resources; `openResourceStores` opens it. */
export const resourceSettings = {
  NAMESPACE: dnsLabel.describe('The Kubernetes namespace of this instance; it serves no other'),
  RESOURCES_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe('Folder with AIGateway and AIPolicy resources as YAML files; without it, they are in a cluster'),
  GATEHOUSE_KUBECONFIG: z
    .string()
    .min(1)
    .optional()
    .describe('Kubeconfig of the cluster with the resources; in a pod, the default is its service account'),
  KUBERNETES_SERVICE_HOST: z.string().min(1).optional().describe('Set by Kubernetes in every pod'),
  KUBERNETES_SERVICE_PORT: z.string().min(1).optional().describe('Set by Kubernetes in every pod'),
};
