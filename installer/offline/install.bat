@echo off
rem Installs wce_desktop from this folder into an environment of its own, without a network: install.bat FOLDER
if "%~1"=="" (echo install.bat FOLDER & exit /b 2)
py -@MAJOR@.@MINOR@ -m venv "%~1" || (echo wce_desktop was not installed: these wheels are for Python @MAJOR@.@MINOR@. & exit /b 1)
"%~1\Scripts\python.exe" -m pip install --quiet --disable-pip-version-check --no-index --find-links "%~dp0wheels" --require-hashes -r "%~dp0requirements.txt" || exit /b 1
echo wce_desktop @VERSION@ was installed; start it as %~1\Scripts\wce-desktop.exe
