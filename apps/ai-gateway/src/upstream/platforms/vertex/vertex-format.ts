import type { BackendOperation } from '../../../formats/backend-operation.ts';
import type { ProviderCall } from '../provider-platform.ts';

/** How Vertex AI serves the operations of one format. */
export interface VertexFormat {
  serves(operation: BackendOperation): boolean;
  /**
   * Path and query below the location of the project.
   * @throws ModelCallError for a name of a model that is no segment of a path
   */
  createPath(call: ProviderCall): string;
  createBody(call: ProviderCall): Uint8Array;
}
