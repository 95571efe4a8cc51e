import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** A file was changed by hand, and the change has not been taken into the state. */
export class UnsettledFileError extends GatehouseError {
  override readonly code = 'unsettled_resource_file';

  constructor(file: string) {
    super(`The file ${file} is being changed by hand.`);
  }
}
