import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** Thrown by `createProxy` for an option that cannot work; `option` is the path of it. */
export class ProxyOptionError extends GatehouseError {
  override readonly code = 'invalid_proxy_option';
  readonly option: string;

  constructor(option: string, sentence: string) {
    super(sentence);
    this.option = option;
  }
}
