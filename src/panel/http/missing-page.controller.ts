import { All } from '@nestjs/common';
import { PanelController } from './panel-controller.decorator';
import { PanelError } from './panel-errors';

/** Registered last: under `/panel` even a missing route is answered with a page. */
@PanelController('{*path}', 'anyone')
export class MissingPageController {
  @All()
  miss(): never {
    throw new PanelError('not-found');
  }
}
