/**
 * Why a call has no result. `refused`: the host says so, with status and message. `unreadable`: the answer has no envelope. `unreachable`: no
 * answer came, because the reader is offline or the host is out of reach. `late`: none came within the time limit.
 */
export type ApiFault = 'refused' | 'unreadable' | 'unreachable' | 'late';

/** The failure of a call. */
export class ApiError extends Error {
  /** Status of the envelope, else of the answer, else 500. */
  readonly status: number;
  /** `data` of the envelope. */
  readonly data: unknown;
  readonly fault: ApiFault;
  constructor(status: number, message: string, data?: unknown, fault: ApiFault = 'refused') {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.data = data;
    this.fault = fault;
  }
}
