import { applyDecorators, Controller, SetMetadata, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { Public } from '../../auth/access.decorator';
import { PageInterceptor } from './page.interceptor';
import { PANEL_ACCESS, type PanelAccess } from './password-again.decorator';
import { PanelFilter } from './panel.filter';
import { PanelGuard } from './panel.guard';

export { PasswordAgain, WithoutSecondFactor } from './password-again.decorator';

/** Pages under `/panel` for those with the given access. Guard, answers and errors differ from the API's. */
export function PanelController(path: string, access: PanelAccess): ClassDecorator {
  return applyDecorators(
    Controller(`panel/${path}`),
    Public(),
    SetMetadata(PANEL_ACCESS, access),
    UseGuards(PanelGuard),
    UseInterceptors(PageInterceptor),
    UseFilters(PanelFilter),
  );
}
