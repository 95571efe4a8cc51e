import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** An invalid option of `createProxy`; `option` is its path. */
export class ProxyOptionError extends GatehouseError {
  override readonly code = 'invalid_proxy_option';
  readonly option: string;

  constructor(option: string, message: string) {
    super(message);
    this.option = option;
  }
}
