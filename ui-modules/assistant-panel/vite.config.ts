export { default } from '../build/uiModule.ts';
