import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/**
 * Begins as soon as the process is asked to end: background work then finishes the order or step in hand and begins no other, while
 * requests in flight are still answered, which takes the database and the block follower.
 */
@Injectable()
export class Shutdown implements OnModuleDestroy {
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  begin(): void {
    this.controller.abort(new Error('the service ends'));
  }

  onModuleDestroy(): void {
    this.begin();
  }
}
