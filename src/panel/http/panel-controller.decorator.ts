import { applyDecorators, Controller, SetMetadata, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { Public } from '../../auth/access.decorator';
import { PageInterceptor } from './page.interceptor';
import { PANEL_ACCESS, type PanelAccess } from './panel-access';
import { PanelFilter } from './panel.filter';
import { PanelGuard } from './panel.guard';

/** Pages under `/panel` for the given visitors. Everything but the access of tokens is different from the API: guard, answers, errors. */
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
