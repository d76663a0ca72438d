import { ServiceError } from '../../../common/errors/service.error';

/** No node gave a usable answer to a read. Nothing was changed. */
export class NodeUnavailableError extends ServiceError {
  constructor(readonly reason: string) {
    super('NODE_UNAVAILABLE', `no node answers: ${reason}`);
    this.name = 'NodeUnavailableError';
  }
}
