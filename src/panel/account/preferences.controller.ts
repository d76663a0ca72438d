import { Body, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { isLanguage } from '../../languages/languages';
import { UserPreferencesRepository } from '../../users/user-preferences.repository';
import { type Form, textOf } from '../http/form';
import { ThisVisit, type PanelRequest, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { type Reply, SeeOther } from '../http/reply';
import { isTimeZone } from '../layout/time-zone';
import { forgetLocale, localeOf } from '../messages/locale';
import { CATALOGUES } from '../messages/catalogues';

@PanelController('account/preferences', 'user')
export class PreferencesController {
  constructor(private readonly preferences: UserPreferencesRepository) {}

  @Post()
  async save(
    @ThisVisit() { user }: UserVisit,
    @Body() form: Form,
    @Req() request: PanelRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Reply> {
    const [zone, wanted] = [textOf(form, 'time_zone'), textOf(form, 'language')];
    if (zone !== '' && !isTimeZone(zone)) throw new PanelError('bad-form');
    const language = isLanguage(wanted) ? wanted : null;
    await this.preferences.save(user.id, { timeZone: zone || null, language });
    // What was chosen on this browser before would win.
    forgetLocale(request, response);
    return SeeOther.done('/panel/account', CATALOGUES[language ?? localeOf(request)].preferences.saved);
  }
}
