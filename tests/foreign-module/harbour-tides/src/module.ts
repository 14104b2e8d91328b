import { defineModule } from '@masthead/ui-sdk';
import en from './messages/en.json';
import zh from './messages/zh.json';
import { View } from './View.tsx';
import './view.css';

export default defineModule({ id: 'harbour-tides', slot: 'footer.rows', contract: 1, Component: View, messages: { en, zh } });
