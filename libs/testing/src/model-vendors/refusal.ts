/** A request that a vendor refuses. The vendor gives it its own error body. */
export class VendorRefusal extends Error {
  readonly status: number;
  /** The vendor's own type or status name, for example `invalid_request_error`. */
  readonly type: string;
  readonly code: string | null;
  /** Name of the faulty field of the request, if there is one. */
  readonly param: string | null;

  constructor(status: number, type: string, message: string, code: string | null = null, param: string | null = null) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = param;
  }
}
