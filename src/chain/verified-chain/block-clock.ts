import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';

/**
 * What blocks are waited for by, and how long none has come. A clock of its own: a test that stops or moves the instance's time has
 * blocks that come all the same.
 */
@Injectable()
export class BlockClock extends Clock {}
