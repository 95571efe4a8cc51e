import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** A request of a browser is refused with a page. The message is a sentence for the user. */
export class PageError extends GatehouseError {
  override readonly code = 'page_refused';

  constructor(
    readonly status: number,
    readonly title: string,
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(message, { ...options, expose: true });
  }
}
